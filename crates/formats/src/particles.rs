//! Writers of particle files: PLY, VTK, CSV, BGEO and XYZ with the same contents, ordered by id.

use std::io::{self, Write};
use std::path::Path;

use meniscus_model::{
    Measured, State,
    params::{KIND_BOUNDARY, KIND_REMOVED},
};
use strum::{EnumString, IntoStaticStr, VariantArray};
use vtkio::model::{Attribute, Attributes, DataArray, PolyDataPiece, VertexNumbers};

use crate::bgeo;
use crate::error::Error;
use crate::vtk;
use crate::write::write_whole;

/// Format of a particle file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum ParticleFormat {
    /// Binary little-endian PLY with one vertex per particle.
    Ply,
    /// VTK XML (`.vtp`) with one vertex cell per particle, for `ParaView`.
    Vtk,
    /// Text with the header `id,x,y,z,vx,vy,vz,density`, and a column per additional quantity.
    Csv,
    /// Houdini's classic format, gzipped, as Partio and `SPlisHSPlasH` read it.
    Bgeo,
    /// Extended XYZ, text for OVITO, VMD and ASE.
    Xyz,
}

impl ParticleFormat {
    /// Formats, in the order of help texts.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Name on command lines, which [`str::parse`] reads.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// File name extension, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Vtk => "vtp",
            Self::Csv => "csv",
            Self::Bgeo => "bgeo",
            Self::Xyz => "xyz",
        }
    }

    /// File name for a frame, as in `particles_00012.csv`.
    #[must_use]
    pub fn file_name(self, frame: u32) -> String {
        format!("particles_{frame:05}.{}", self.extension())
    }

    /// File name of foam for a frame, as in `foam_00012.csv`.
    #[must_use]
    pub fn foam_file_name(self, frame: u32) -> String {
        format!("foam_{frame:05}.{}", self.extension())
    }
}

/// Writes the live fluid particles: id, world position in m, velocity in m/s and density in kg/m³,
/// each number with 32 bits. Removed particles and boundary particles are left out. `more` are
/// additional quantities of the state's particles; those that every file has are not repeated.
///
/// # Errors
///
/// [`Error::Write`]; an existing file is then unchanged.
pub fn write_particles(
    path: &Path,
    format: ParticleFormat,
    state: &State,
    more: &[Measured],
) -> Result<(), Error> {
    let table = Table::new(state, more);
    write_whole(path, |writer| write(writer, format, &table))
}

/// Writes the particles of foam: id, world position in m, velocity in m/s, kind (0 spray, 1 foam, 2 bubble) and age in s,
/// each number with 32 bits.
///
/// # Errors
///
/// [`Error::Write`]; an existing file is then unchanged.
pub fn write_foam(path: &Path, format: ParticleFormat, state: &State) -> Result<(), Error> {
    let table = Table::of_foam(state);
    write_whole(path, |writer| write(writer, format, &table))
}

/// The bytes of the PLY file that [`write_particles`] writes.
#[must_use]
pub fn ply_bytes(state: &State, more: &[Measured]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_ply(&mut bytes, &Table::new(state, more)).expect("a Vec grows");
    bytes
}

/// Columns that every file has, after the id.
const COLUMNS: [&str; 7] = ["x", "y", "z", "vx", "vy", "vz", "density"];

/// Content of a file.
struct Table {
    /// Time in s.
    time: f64,
    /// Names of the columns after the id.
    columns: Vec<&'static str>,
    /// Id of each particle.
    ids: Vec<u32>,
    /// Values of the columns, particle by particle.
    values: Vec<f32>,
}

impl Table {
    fn new(state: &State, more: &[Measured]) -> Self {
        let has = |name| name == "id" || COLUMNS.contains(&name);
        let more: Vec<_> = more.iter().filter(|one| !has(one.quantity.name)).collect();
        let columns = COLUMNS.into_iter().chain(more.iter().map(|one| one.quantity.name)).collect();
        let live = |(i, &[id, what]): (usize, &[u32; 2])| {
            (![KIND_REMOVED, KIND_BOUNDARY].contains(&(what & 0xff))).then_some((id, i))
        };
        let mut live: Vec<_> = state.identity().iter().enumerate().filter_map(live).collect();
        live.sort_unstable_by_key(|(id, _)| *id);
        let mut values = Vec::new();
        for (_, i) in &live {
            let [vx, vy, vz, _] = state.velocity()[*i];
            values.extend(state.world_position(*i).map(|coordinate| coordinate as f32));
            values.extend([vx, vy, vz, state.density(*i)]);
            values.extend(more.iter().map(|one| one.values[*i]));
        }
        Self {
            time: state.time(),
            columns,
            ids: live.into_iter().map(|(id, _)| id).collect(),
            values,
        }
    }

    fn of_foam(state: &State) -> Self {
        let mut ids = Vec::new();
        let mut values = Vec::new();
        for particle in state.foam() {
            ids.push(particle.id);
            values.extend(particle.position.map(|coordinate| coordinate as f32));
            values.extend(particle.velocity);
            values.extend([particle.kind.number() as f32, particle.age]);
        }
        let columns = COLUMNS[..6].iter().copied().chain(["kind", "age"]).collect();
        Self { time: state.time(), columns, ids, values }
    }

    /// Id and values of each particle.
    fn rows(&self) -> impl Iterator<Item = (&u32, &[f32])> {
        self.ids.iter().zip(self.values.chunks_exact(self.columns.len()))
    }
}

fn write(writer: &mut dyn Write, format: ParticleFormat, table: &Table) -> io::Result<()> {
    match format {
        ParticleFormat::Ply => write_ply(writer, table),
        ParticleFormat::Vtk => write_vtk(writer, table),
        ParticleFormat::Csv => write_csv(writer, table),
        ParticleFormat::Bgeo => {
            let rows = table.rows().map(|(id, row)| (*id, row));
            bgeo::write(writer, table.ids.len(), &table.columns[6..], rows)
        }
        ParticleFormat::Xyz => write_xyz(writer, table),
    }
}

fn write_csv(writer: &mut dyn Write, table: &Table) -> io::Result<()> {
    let mut lines = csv::Writer::from_writer(writer);
    lines.write_record(std::iter::once(&"id").chain(&table.columns))?;
    for (id, values) in table.rows() {
        let values = values.iter().map(ToString::to_string);
        lines.write_record(std::iter::once(id.to_string()).chain(values))?;
    }
    lines.flush()
}

/// Names of properties are OVITO's.
fn write_xyz(writer: &mut dyn Write, table: &Table) -> io::Result<()> {
    let more: String = table.columns[6..].iter().map(|name| format!(":{name}:R:1")).collect();
    writeln!(writer, "{}", table.ids.len())?;
    writeln!(writer, "Properties=id:I:1:pos:R:3:velo:R:3{more} Time={}", table.time)?;
    for (id, values) in table.rows() {
        write!(writer, "{id}")?;
        for value in values {
            write!(writer, " {value}")?;
        }
        writeln!(writer)?;
    }
    Ok(())
}

fn write_ply(writer: &mut dyn Write, table: &Table) -> io::Result<()> {
    writeln!(writer, "ply\nformat binary_little_endian 1.0")?;
    writeln!(writer, "element vertex {}\nproperty uint id", table.ids.len())?;
    for column in &table.columns {
        writeln!(writer, "property float {column}")?;
    }
    writeln!(writer, "end_header")?;
    for (id, values) in table.rows() {
        writer.write_all(&id.to_le_bytes())?;
        for value in values {
            writer.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(())
}

fn write_vtk(writer: &mut dyn Write, table: &Table) -> io::Result<()> {
    let column = |range: std::ops::Range<usize>| -> Vec<f32> {
        table.rows().flat_map(|(_, values)| &values[range.clone()]).copied().collect()
    };
    let count = table.ids.len() as u64;
    let mut point = vec![
        Attribute::DataArray(DataArray::scalars("id", 1).with_vec(table.ids.clone())),
        Attribute::DataArray(DataArray::vectors("velocity").with_vec(column(3..6))),
    ];
    for (k, name) in table.columns.iter().enumerate().skip(6) {
        let numbers = DataArray::scalars(*name, 1).with_vec(column(k..k + 1));
        point.push(Attribute::DataArray(numbers));
    }
    // One vertex cell per point; ParaView shows nothing without cells.
    let connectivity = (0..count).collect();
    let offsets = (1..=count).collect();
    let piece = PolyDataPiece {
        points: column(0..3).into(),
        verts: Some(VertexNumbers::XML { connectivity, offsets }),
        data: Attributes { point, cell: Vec::new() },
        ..PolyDataPiece::default()
    };
    vtk::write(writer, table.ids.len(), piece, Some(table.time))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use meniscus_model::{Control, methods::Quantity};
    use vtkio::IOBuffer;
    use vtkio::model::{DataSet, Vtk};

    use super::*;
    use crate::write::tests::FullAfter;

    /// Three particles out of order, one of them removed.
    fn state(count: u32) -> State {
        let words = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect();
        let arrays = BTreeMap::from([
            ("position".into(), words(&[0.5, 0., 0., 990., 0., 0.25, 0., 1010., 9., 9., 9., 9.])),
            ("velocity".into(), words(&[1., 2., 3., 10., -1., -2., -3., 20., 0., 0., 0., 0.])),
            ("identity".into(), vec![7, 0, 3, 256, 5, KIND_REMOVED]),
        ]);
        State {
            control: Control::start(count),
            frame_duration: 0.1,
            center: [1.0, 0.0, -1.0],
            gravity: Vec::new(),
            steered: BTreeMap::new(),
            arrays,
        }
    }

    fn written(format: ParticleFormat, count: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, format, &Table::new(&state(count), &[])).expect("memory is not full");
        bytes
    }

    #[test]
    fn csv() {
        let text = String::from_utf8(written(ParticleFormat::Csv, 3)).expect("UTF-8");
        let expected =
            "id,x,y,z,vx,vy,vz,density\n3,1,0.25,-1,-1,-2,-3,1010\n7,1.5,0,-1,1,2,3,990\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn foam_has_kinds_and_ages() {
        let words = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect();
        let mut state = state(0);
        let mut counts = vec![0; 12];
        counts[0] = 2;
        state.arrays.insert("foam_state".into(), counts);
        state.arrays.insert("foam_identity".into(), vec![4, 1, 9, 2, 0, 0]);
        let places = [0.5, 0., 0., 9., 0., 0.25, 0., 9., 7., 7., 7., 7.];
        state.arrays.insert("foam_position".into(), words(&places));
        let motions = [1., 2., 3., 0.5, -1., -2., -3., 0.25, 7., 7., 7., 7.];
        state.arrays.insert("foam_velocity".into(), words(&motions));
        let mut bytes = Vec::new();
        write(&mut bytes, ParticleFormat::Csv, &Table::of_foam(&state))
            .expect("memory is not full");
        let expected =
            "id,x,y,z,vx,vy,vz,kind,age\n4,1.5,0,-1,1,2,3,1,0.5\n9,1,0.25,-1,-1,-2,-3,2,0.25\n";
        assert_eq!(String::from_utf8(bytes).expect("UTF-8"), expected);
    }

    #[test]
    fn ply() {
        let bytes = written(ParticleFormat::Ply, 3);
        let end = b"end_header\n";
        let body = bytes.windows(end.len()).position(|window| window == end).expect("a header");
        let header = String::from_utf8_lossy(&bytes[..body]);
        assert!(header.starts_with("ply\nformat binary_little_endian 1.0\nelement vertex 2\n"));
        let body = &bytes[body + end.len()..];
        assert_eq!(body.len(), 2 * 8 * 4);
        assert_eq!(body[..4], 3u32.to_le_bytes());
        assert_eq!(body[60..], 990f32.to_le_bytes());
    }

    #[test]
    fn vtk_is_read_back() {
        let bytes = written(ParticleFormat::Vtk, 3);
        let vtk = Vtk::parse_xml(bytes.as_slice()).expect("VTK");
        let DataSet::PolyData { pieces, .. } = vtk.data else { panic!("not PolyData") };
        let piece = pieces[0].load_piece_data(None).expect("inline");
        assert_eq!(piece.points, IOBuffer::F32(vec![1.0, 0.25, -1.0, 1.5, 0.0, -1.0]));
        assert_eq!(piece.num_verts(), 2);
        let names: Vec<&str> = piece.data.point.iter().map(Attribute::name).collect();
        assert_eq!(names, ["id", "velocity", "density"]);
    }

    #[test]
    fn quantities_are_more_columns_unless_every_file_has_them() {
        let state = state(3);
        let more = ["speed", "density", "pressure"].map(|name| {
            let quantity = Quantity::COMMON.iter().find(|one| one.name == name).expect("common");
            let words = &state.arrays[quantity.array.name];
            Measured::new(quantity, words, state.identity(), &[])
        });
        let written = |format| {
            let mut bytes = Vec::new();
            write(&mut bytes, format, &Table::new(&state, &more)).expect("memory is not full");
            bytes
        };
        let csv = String::from_utf8(written(ParticleFormat::Csv)).expect("UTF-8");
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("id,x,y,z,vx,vy,vz,density,speed,pressure"));
        let speed = 14f32.sqrt();
        assert_eq!(lines.next(), Some(&*format!("3,1,0.25,-1,-1,-2,-3,1010,{speed},20")));
        assert_eq!(lines.next(), Some(&*format!("7,1.5,0,-1,1,2,3,990,{speed},10")));

        let ply = written(ParticleFormat::Ply);
        let header = "property float density\nproperty float speed\nproperty float pressure\n";
        assert!(String::from_utf8_lossy(&ply).contains(header));
        assert_eq!(ply[ply.len() - 4..], 10f32.to_le_bytes());

        let vtk = Vtk::parse_xml(written(ParticleFormat::Vtk).as_slice()).expect("VTK");
        let DataSet::PolyData { pieces, .. } = vtk.data else { panic!("not PolyData") };
        let piece = pieces[0].load_piece_data(None).expect("inline");
        let names: Vec<&str> = piece.data.point.iter().map(Attribute::name).collect();
        assert_eq!(names, ["id", "velocity", "density", "speed", "pressure"]);
        let Some(Attribute::DataArray(last)) = piece.data.point.last() else { panic!("no array") };
        assert_eq!(last.data, IOBuffer::F32(vec![20.0, 10.0]));
    }

    #[test]
    fn no_particles_are_a_file_too() {
        for format in ParticleFormat::ALL {
            assert!(!written(*format, 0).is_empty());
        }
        // VTK 9.7 reads this file.
        let text = String::from_utf8(written(ParticleFormat::Vtk, 0)).expect("text");
        let (before, rest) = text.split_once("<FieldData>").expect("its time");
        let (field, after) = rest.split_once("</FieldData>").expect("its end");
        assert_eq!(before.to_owned() + after, vtk::EMPTY);
        assert!(field.contains("TimeValue") && field.contains(&format!(">{}<", state(0).time())));
    }

    #[test]
    fn a_full_disk_is_an_error_at_every_byte() {
        for format in ParticleFormat::ALL {
            for room in 0..written(*format, 3).len() {
                let full = write(&mut FullAfter(room), *format, &Table::new(&state(3), &[]));
                full.expect_err("the disk is full");
            }
        }
    }

    #[test]
    fn file_names() {
        assert_eq!(ParticleFormat::Vtk.file_name(12), "particles_00012.vtp");
    }
}
