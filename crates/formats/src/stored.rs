//! Readers of what a run has written: particles, foam, surfaces and bodies of a frame, to draw them later.

mod meshes;
mod ply;

use std::path::Path;

use meniscus_model::BodyReport;
use vtkio::IOBuffer;
use vtkio::model::{Attribute, DataSet, PolyDataPiece, Vtk};

use crate::bgeo;
use crate::error::Error;
use crate::vtk::floats;
use crate::{Mesh, MeshFormat, ParticleFormat};

/// Columns of a file of particles.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ParticleTable {
    /// Id of each particle.
    pub ids: Vec<u32>,
    /// Names of the other columns, each with a value for each particle: `x`, `y`, `z` in m, `vx`, `vy`, `vz` in m/s, then
    /// quantities.
    pub columns: Vec<(String, Vec<f32>)>,
}

impl ParticleTable {
    /// A column by its name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&[f32]> {
        self.columns.iter().find(|(known, _)| known == name).map(|(_, values)| &values[..])
    }

    fn push(&mut self, name: &str, values: Vec<f32>) {
        match name {
            "id" => self.ids = values.iter().map(|id| *id as u32).collect(),
            _ => self.columns.push((name.to_owned(), values)),
        }
    }

    /// The table, if it has what every file of particles has.
    fn checked(mut self) -> Result<Self, String> {
        for name in ["x", "y", "z", "vx", "vy", "vz"] {
            let Some(values) = self.column(name) else {
                let has: Vec<_> = self.columns.iter().map(|(name, _)| &name[..]).collect();
                let has = if has.is_empty() { "none".to_owned() } else { has.join(", ") };
                return Err(format!("expected the particles' {name}; its columns are {has}"));
            };
            if let Some(i) = values.iter().position(|value| !value.is_finite()) {
                return Err(format!("{name} of particle {i} is not a number"));
            }
        }
        let count = self.columns[0].1.len();
        if self.ids.is_empty() {
            self.ids = (0..count as u32).collect();
        }
        if self.ids.len() != count || self.columns.iter().any(|(_, values)| values.len() != count) {
            return Err("its columns have different lengths".into());
        }
        Ok(self)
    }
}

/// Reads a file of particles or foam as [`write_particles`](crate::write_particles) and [`write_foam`](crate::write_foam)
/// write it.
///
/// # Errors
/// [`Error::Read`]; [`Error::Input`] if it is no such file, or is cut off.
pub fn read_particles(path: &Path, format: ParticleFormat) -> Result<ParticleTable, Error> {
    let bytes = read(path)?;
    let table = match format {
        ParticleFormat::Ply => ply_particles(&bytes),
        ParticleFormat::Vtk => vtk_particles(&bytes),
        ParticleFormat::Csv => return csv_particles(path, &bytes),
        ParticleFormat::Bgeo => bgeo_particles(&bytes),
        ParticleFormat::Xyz => xyz_particles(&bytes),
    };
    table.and_then(ParticleTable::checked).map_err(|message| input(path, message))
}

/// Reads the surfaces of a frame as [`write_meshes`](crate::write_meshes) writes them: one mesh for each material by its
/// name, or all in one, of PLY and VTK. Normals that the file does not have are those of its triangles.
///
/// # Errors
/// As [`read_particles`].
pub fn read_meshes(path: &Path, format: MeshFormat) -> Result<Vec<Mesh>, Error> {
    let bytes = read(path)?;
    let meshes = match format {
        MeshFormat::Ply => ply::read(&bytes).and_then(|file| meshes::of_ply(&file)),
        MeshFormat::Obj => meshes::of_obj(&bytes),
        MeshFormat::Glb => meshes::of_glb(&bytes),
        MeshFormat::Vtk => poly_data(&bytes).and_then(meshes::of_poly_data),
    };
    let mut meshes = meshes.map_err(|message| input(path, message))?;
    for mesh in &mut meshes {
        if let Some(fault) = mesh.fault() {
            return Err(input(path, fault));
        }
        meshes::complete(mesh);
    }
    Ok(meshes)
}

/// Reads the places of bodies as [`write_bodies`](crate::write_bodies) writes them in CSV or JSON: of each its name, centre of
/// mass in m, and quaternion (x, y, z, w).
///
/// # Errors
/// As [`read_particles`].
pub fn read_bodies(path: &Path) -> Result<Vec<BodyReport>, Error> {
    let bytes = read(path)?;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let bodies = if is_json { json_bodies(&bytes) } else { csv_bodies(&bytes) };
    bodies.map_err(|message| input(path, message))
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::Read { path: path.display().to_string(), source })
}

fn input(path: &Path, message: impl Into<String>) -> Error {
    Error::input(path.display().to_string(), message)
}

fn ply_particles(bytes: &[u8]) -> Result<ParticleTable, String> {
    let file = ply::read(bytes)?;
    let vertices = file.element("vertex")?;
    let mut table = ParticleTable::default();
    for (name, column) in vertices.columns() {
        if name == "id" {
            table.ids = column.iter().map(|id| *id as u32).collect();
        } else {
            table.columns.push((name.to_owned(), column.iter().map(|x| *x as f32).collect()));
        }
    }
    Ok(table)
}

/// The polygons of a file; none in one without points.
fn poly_data(bytes: &[u8]) -> Result<Option<PolyDataPiece>, String> {
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(64)..]);
    if !text.trim_end().ends_with("</VTKFile>") {
        return Err("it is cut off: expected </VTKFile> at its end".into());
    }
    let vtk = Vtk::parse_xml(bytes).map_err(|error| {
        format!(
            "expected polygons of VTK (PolyData): {}",
            error.to_string().lines().next().unwrap_or("")
        )
    })?;
    let DataSet::PolyData { mut pieces, .. } = vtk.data else {
        return Err("expected polygons of VTK (PolyData)".into());
    };
    if pieces.is_empty() {
        return Ok(None);
    }
    let piece = pieces.swap_remove(0).into_loaded_piece_data(None);
    let piece = piece.map_err(|error| error.to_string())?;
    Ok(Some(piece).filter(|piece| piece.num_points() > 0))
}

fn vtk_particles(bytes: &[u8]) -> Result<ParticleTable, String> {
    let mut table = ParticleTable::default();
    let Some(piece) = poly_data(bytes)? else {
        let names = ["x", "y", "z", "vx", "vy", "vz"];
        table.columns = names.map(|name| (name.to_owned(), Vec::new())).into();
        return Ok(table);
    };
    let mut vectors = |names: [&str; 3], values: &[f32]| {
        for (axis, name) in names.into_iter().enumerate() {
            let lane = values.iter().skip(axis).step_by(3).copied().collect();
            table.columns.push((name.to_owned(), lane));
        }
    };
    vectors(["x", "y", "z"], &floats(&piece.points));
    let mut others = Vec::new();
    for attribute in &piece.data.point {
        let Attribute::DataArray(array) = attribute else { continue };
        match (&array.name[..], &array.data) {
            ("velocity", data) => vectors(["vx", "vy", "vz"], &floats(data)),
            ("id", IOBuffer::U32(ids)) => table.ids.clone_from(ids),
            (name, data) => others.push((name.to_owned(), floats(data))),
        }
    }
    table.columns.extend(others);
    Ok(table)
}

fn csv_particles(path: &Path, bytes: &[u8]) -> Result<ParticleTable, Error> {
    let mut lines = csv::Reader::from_reader(bytes);
    let place =
        |line: u64, message: String| Error::input(format!("{}:{line}", path.display()), message);
    let titles = lines.headers().map_err(|error| place(1, error.to_string()))?.clone();
    let mut ids = Vec::new();
    let mut columns = vec![Vec::new(); titles.len()];
    for (number, record) in lines.records().enumerate() {
        let line = number as u64 + 2;
        let record = record.map_err(|error| {
            let found = match error.kind() {
                csv::ErrorKind::UnequalLengths { len, .. } => format!(", found {len}"),
                _ => format!(": {error}"),
            };
            place(line, format!("expected {} values, as the first line has{found}", titles.len()))
        })?;
        for ((cell, title), column) in record.iter().zip(&titles).zip(&mut columns) {
            let fail = || place(line, format!("expected a number for {title}, found {cell:?}"));
            if title == "id" {
                ids.push(cell.parse().map_err(|_| fail())?);
            } else {
                column.push(cell.parse::<f32>().map_err(|_| fail())?);
            }
        }
    }
    if !bytes.ends_with(b"\n") {
        return Err(input(path, "it is cut off: its last line does not end"));
    }
    let columns = titles.iter().zip(columns).filter(|(title, _)| *title != "id");
    let columns = columns.map(|(title, values)| (title.to_owned(), values)).collect();
    ParticleTable { ids, columns }.checked().map_err(|message| input(path, message))
}

fn bgeo_particles(bytes: &[u8]) -> Result<ParticleTable, String> {
    let mut table = ParticleTable::default();
    for (name, lanes) in bgeo::read_all(bytes)? {
        match (&name[..], lanes.len()) {
            ("position", _) => {
                ["x", "y", "z"].into_iter().zip(lanes).for_each(|(name, lane)| {
                    table.push(name, lane.into_iter().map(f32::from_bits).collect());
                });
            }
            ("velocity", 3) => {
                ["vx", "vy", "vz"].into_iter().zip(lanes).for_each(|(name, lane)| {
                    table.push(name, lane.into_iter().map(f32::from_bits).collect());
                });
            }
            ("id", 1) => table.ids = lanes.into_iter().flatten().collect(),
            (_, 1) => {
                let lane = lanes.into_iter().flatten().map(f32::from_bits).collect();
                table.push(&name, lane);
            }
            _ => {}
        }
    }
    Ok(table)
}

fn xyz_particles(bytes: &[u8]) -> Result<ParticleTable, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text")?;
    let mut lines = text.lines();
    let count = lines.next().and_then(|line| line.trim().parse::<usize>().ok());
    let count = count.ok_or("expected the number of particles in line 1")?;
    let mut words = lines.next().unwrap_or_default().split_whitespace();
    let properties = words.find_map(|word| word.strip_prefix("Properties="));
    let parts: Vec<_> = properties.ok_or("expected Properties= in line 2")?.split(':').collect();
    let mut titles = Vec::new();
    for property in parts.chunks(3) {
        match property {
            ["pos", _, "3"] => titles.extend(["x", "y", "z"]),
            ["velo", _, "3"] => titles.extend(["vx", "vy", "vz"]),
            [name, _, "1"] => titles.push(name),
            _ => return Err(format!("line 2: unknown property {}", property.join(":"))),
        }
    }
    let mut columns = vec![Vec::new(); titles.len()];
    let mut ids = Vec::new();
    for (number, line) in lines.enumerate() {
        let cells: Vec<_> = line.split_whitespace().collect();
        let (line, due) = (number + 3, titles.len());
        if cells.len() != due {
            return Err(format!("line {line}: expected {due} values, found {}", cells.len()));
        }
        for ((cell, title), column) in cells.iter().zip(&titles).zip(&mut columns) {
            let fail = || format!("line {line}: expected a number for {title}, found {cell:?}");
            match *title {
                "id" => ids.push(cell.parse().map_err(|_| fail())?),
                _ => column.push(cell.parse::<f32>().map_err(|_| fail())?),
            }
        }
    }
    let found = columns.iter().map(Vec::len).max().unwrap_or(0);
    if found != count || !text.ends_with('\n') {
        return Err(format!("it is cut off: {found} of {count} particles"));
    }
    let columns = titles.into_iter().zip(columns).filter(|(title, _)| *title != "id");
    let columns = columns.map(|(title, values)| (title.to_owned(), values)).collect();
    Ok(ParticleTable { ids, columns })
}

fn json_bodies(bytes: &[u8]) -> Result<Vec<BodyReport>, String> {
    let all: Vec<serde_json::Value> = serde_json::from_slice(bytes)
        .map_err(|error| format!("expected a list of bodies: {error}"))?;
    let body = |one: &serde_json::Value| -> Option<BodyReport> {
        let numbers = |key: &str| -> Option<Vec<f64>> {
            one.get(key)?.as_array()?.iter().map(serde_json::Value::as_f64).collect()
        };
        Some(BodyReport {
            name: one.get("name")?.as_str()?.to_owned(),
            position: numbers("position")?.try_into().ok()?,
            rotation: numbers("rotation")?.try_into().ok()?,
            ..BodyReport::default()
        })
    };
    let whole = all.iter().map(body).collect::<Option<Vec<_>>>();
    whole.ok_or_else(|| "expected name, position and rotation of each body".into())
}

fn csv_bodies(bytes: &[u8]) -> Result<Vec<BodyReport>, String> {
    let mut lines = csv::Reader::from_reader(bytes);
    let titles = lines.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| {
        let found = titles.iter().position(|title| title == name);
        found.ok_or_else(|| format!("its first line has no column {name}"))
    };
    let name = column("name")?;
    let mut columns = [0; 7];
    for (column_of, key) in columns.iter_mut().zip(["x", "y", "z", "qx", "qy", "qz", "qw"]) {
        *column_of = column(key)?;
    }
    let mut bodies = Vec::new();
    for (number, record) in lines.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        let mut numbers = [0.0; 7];
        for (value, column) in numbers.iter_mut().zip(columns) {
            let cell = record.get(column).unwrap_or_default();
            *value = cell
                .parse()
                .map_err(|_| format!("line {}: expected a number, found {cell:?}", number + 2))?;
        }
        let [x, y, z, qx, qy, qz, qw] = numbers;
        bodies.push(BodyReport {
            name: record.get(name).unwrap_or_default().to_owned(),
            position: [x, y, z],
            rotation: [qx, qy, qz, qw],
            ..BodyReport::default()
        });
    }
    Ok(bodies)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use meniscus_model::{Control, State};

    use super::*;
    use crate::{BodyFormat, write_bodies, write_meshes, write_particles};

    /// Two particles, of which one has moved.
    fn state() -> State {
        let words = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect();
        let arrays = BTreeMap::from([
            ("position".into(), words(&[0.5, 0., 0., 990., 0., 0.25, 0., 1010.])),
            ("velocity".into(), words(&[1., 2., 3., 10., -1., -2., -3., 20.])),
            ("identity".into(), vec![7, 0, 3, 0]),
        ]);
        State {
            control: Control::start(2),
            frame_duration: 0.1,
            center: [1.0, 0.0, -1.0],
            gravity: Vec::new(),
            steered: BTreeMap::new(),
            arrays,
        }
    }

    #[test]
    fn particles_are_read_as_they_were_written_and_not_when_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        for format in ParticleFormat::ALL {
            let path = folder.path().join(format.file_name(0));
            write_particles(&path, *format, &state(), &[]).expect("written");
            let table = read_particles(&path, *format).expect("sound");
            assert_eq!(table.ids, [3, 7], "{format:?}");
            for (name, expected) in [
                ("x", [1.0, 1.5]),
                ("y", [0.25, 0.0]),
                ("z", [-1.0, -1.0]),
                ("vx", [-1.0, 1.0]),
                ("vz", [-3.0, 3.0]),
                ("density", [1010.0, 990.0]),
            ] {
                assert_eq!(table.column(name), Some(&expected[..]), "{format:?} {name}");
            }
            let whole = std::fs::read(&path).expect("a file");
            for length in (0..whole.len() - 4).step_by(1 + whole.len() / 300) {
                std::fs::write(&path, &whole[..length]).expect("written");
                match read_particles(&path, *format) {
                    Err(error) => {
                        let text = error.to_string();
                        assert!(text.starts_with(&path.display().to_string()), "{length}: {text}");
                    }
                    // A text of lines may end after any.
                    Ok(_) => assert_eq!((*format, whole[length - 1]), (ParticleFormat::Csv, b'\n')),
                }
            }
        }
    }

    #[test]
    fn surfaces_are_read_as_they_were_written_and_not_when_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.5]];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        let one = Mesh::new(corners.clone(), vec![[0.0, 1.0, 0.0]; 4], triangles.clone());
        let other = Mesh::new(corners, vec![[0.0, 0.0, 1.0]; 4], vec![[1, 2, 3]]);
        let both = [one.named("water", None), other.named("oil", Some([0.5; 3]))];
        for format in MeshFormat::ALL {
            let path = folder.path().join(format.file_name(0));
            write_meshes(&path, *format, &both).expect("written");
            let found = read_meshes(&path, *format).expect("sound");
            let whole = std::fs::read(&path).expect("a file");
            if matches!(format, MeshFormat::Obj | MeshFormat::Glb) {
                assert_eq!(found.len(), 2, "{format:?}");
                for (found, own) in found.iter().zip(&both) {
                    assert_eq!(
                        (&found.name, &found.position, &found.normal, &found.triangles),
                        (&own.name, &own.position, &own.normal, &own.triangles),
                        "{format:?}"
                    );
                }
            } else {
                assert_eq!((found.len(), found[0].position.len()), (1, 8), "{format:?}");
                assert_eq!(found[0].triangles[..4], both[0].triangles, "{format:?}");
                assert_eq!(found[0].triangles[4], [5, 6, 7], "{format:?}");
                assert_eq!(found[0].normal.len(), 8, "{format:?}");
            }
            // A text of lines may end after any.
            for length in (1..whole.len() - 4).step_by(1 + whole.len() / 300) {
                std::fs::write(&path, &whole[..length]).expect("written");
                match read_meshes(&path, *format) {
                    Err(error) => {
                        let text = error.to_string();
                        assert!(text.starts_with(&path.display().to_string()), "{length}: {text}");
                    }
                    Ok(_) => assert_eq!((*format, whole[length - 1]), (MeshFormat::Obj, b'\n')),
                }
            }
        }
    }

    #[test]
    fn places_of_bodies_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let body = BodyReport {
            name: "a \"crate\", of oak".into(),
            position: [1.0, 2.0, 3.5],
            rotation: [0.0, 0.6, 0.0, 0.8],
            ..BodyReport::default()
        };
        let scene = meniscus_model::Scene::default();
        for format in [BodyFormat::Csv, BodyFormat::Json] {
            let path = folder.path().join(format.file_name(0));
            write_bodies(&path, format, &scene, std::slice::from_ref(&body)).expect("written");
            assert_eq!(read_bodies(&path).expect("sound")[..], *std::slice::from_ref(&body));
            std::fs::write(&path, "name,x\nball,1\n").expect("written");
            read_bodies(&path).expect_err("not whole");
        }
    }
}
