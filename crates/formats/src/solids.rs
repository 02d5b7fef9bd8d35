//! Reading the triangle meshes and particles that a scene refers to.

mod frames;
mod gltf;
mod obj;
mod outlines;

pub(crate) use frames::frame_files;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use meniscus_methods::Registry;
use meniscus_model::Scene;
use meniscus_model::mesh::{MAX_TRIANGLES, Solid, TriangleMesh};
use meniscus_model::scene::{
    Boundary, Content, MAX_PARTICLES, MeshShape, Motion, Problem, ProblemKind, Response, Shape,
    Vec3,
};
use meniscus_model::setup::body_depth;

use crate::{bgeo, cache, fields, motion_table, panorama, scenes};

/// Place of the files that a scene refers to.
#[derive(Clone, Debug)]
pub(crate) enum Files {
    /// The folder of the scene file.
    Folder(PathBuf),
    /// The program itself.
    Bundled,
}

impl Files {
    /// The place for a scene given by path or bundled name.
    pub(crate) fn of(path_or_name: &str) -> Self {
        let path = Path::new(path_or_name);
        if !path.is_file() && scenes::text_of(path_or_name).is_some() {
            return Self::Bundled;
        }
        Self::Folder(path.parent().unwrap_or(Path::new("")).to_owned())
    }

    /// Bytes of a mesh, which may be bundled.
    pub(crate) fn read_mesh(&self, name: &str) -> Result<Cow<'static, [u8]>, String> {
        let bundled = match self {
            Self::Bundled => scenes::mesh_of(name),
            Self::Folder(_) => None,
        };
        bundled.map(Cow::Borrowed).map_or_else(|| self.read(name), Ok)
    }

    /// Bytes of a file that is not bundled. A page has none, and so no readers of what is in them.
    // (In line, so that the compiler sees it.)
    #[inline(always)]
    pub(crate) fn read(&self, name: &str) -> Result<Cow<'static, [u8]>, String> {
        if cfg!(target_family = "wasm") {
            return Err(format!("a page cannot read the file {name:?}"));
        }
        match self {
            // (As the command line names an image.)
            Self::Bundled if !Path::new(name).is_absolute() => Err(format!(
                "there is no bundled file {name:?}; one of yours needs its absolute path"
            )),
            Self::Bundled => Self::Folder(PathBuf::new()).read(name),
            Self::Folder(folder) => {
                std::fs::read(folder.join(name)).map(Cow::Owned).map_err(|error| {
                    match error.kind() {
                        io::ErrorKind::NotFound => {
                            let place = folder.join(name);
                            format!("there is no file {:?} ({})", name, place.display())
                        }
                        _ => format!("cannot read {name:?}: {error}"),
                    }
                })
            }
        }
    }
}

/// Particles of a program, in place of those of a file.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct PointSet {
    /// Positions in m.
    pub positions: Vec<Vec3>,
    /// Velocity of each in m/s; empty for particles at rest.
    pub velocities: Vec<Vec3>,
}

impl PointSet {
    /// What is wrong with it, if anything is.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let Self { positions, velocities } = self;
        if positions.is_empty() {
            return Some("it has no particles".into());
        }
        if !velocities.is_empty() && velocities.len() != positions.len() {
            let (has, count) = (velocities.len(), positions.len());
            return Some(format!("{has} velocities of {count} particles"));
        }
        let of = |what: &str, all: &[Vec3]| {
            let wrong = |v: &Vec3| v.iter().any(|x| !x.is_finite() || x.abs() > 1e12);
            let i = all.iter().position(wrong)?;
            Some(format!("particle {i} has the invalid {what} {:?}", all[i]))
        };
        of("position", positions).or_else(|| of("velocity", velocities))
    }
}

/// Particles of a program by the names that `shape.points.file` gives them.
pub(crate) type PointSets = BTreeMap<String, Arc<PointSet>>;

/// Reads the corners of a polygon that stand in the scene.
pub(crate) fn read_corners(shape: &mut Shape) {
    if let Shape::Polygon(polygon) = shape
        && polygon.file.is_empty()
    {
        polygon.fill_in(None);
    }
}

/// Reads every file that the scene's shapes, motions and light refer to; a file of particles that has a name in `sets` is there.
pub(crate) fn fill_in(scene: &mut Scene, files: &Files, sets: &PointSets) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, shape) in scene.shapes_mut() {
        let found = match shape {
            Shape::Mesh(mesh) => read_mesh(files, &mesh.file)
                .map(|triangles| mesh.fill_in(&triangles))
                .map_err(|message| (format!("{path}.mesh.file"), message)),
            Shape::Points(points) if sets.contains_key(&points.file) => {
                let set = &sets[&points.file];
                points.fill_in(&set.positions);
                points.velocities = Content::of(set.velocities.clone());
                Ok(())
            }
            Shape::Points(points) => read_points(files, &points.file)
                .map(|read| points.fill_in(&read))
                .map_err(|message| (format!("{path}.points.file"), message)),
            Shape::Polygon(polygon) if polygon.file.is_empty() => {
                polygon.fill_in(None);
                Ok(())
            }
            Shape::Polygon(polygon) => outlines::read(files, &polygon.file)
                .map(|corners| polygon.fill_in(Some(&corners)))
                .map_err(|message| (format!("{path}.polygon.file"), message)),
            _ => Ok(()),
        };
        if let Err((path, message)) = found {
            problems.push(Problem::new(path, message));
        }
    }
    let flat = scene.dimensions == 2;
    for (path, motion) in scene.motions_mut() {
        if let Motion::Table { file, rows, .. } = motion {
            match motion_table::read(files, file, flat) {
                Ok(read) => *rows = Content::of(read),
                Err(message) => problems.push(Problem::new(format!("{path}.table.file"), message)),
            }
        }
    }
    problems.extend(frames::fill_in(scene, files));
    for (path, table) in scene.flow_tables_mut() {
        match motion_table::read_flow(files, &table.file) {
            Ok(read) => table.rows = Content::of(read),
            Err(message) => problems.push(Problem::new(format!("{path}.file"), message)),
        }
    }
    problems.extend(panorama::fill_in(scene, files));
    problems.extend(fields::fill_in(scene, files));
    problems
}

/// The mesh that a shape is, if it is one.
fn mesh_of(shape: &mut Shape) -> Option<&mut MeshShape> {
    match shape {
        Shape::Mesh(mesh) => Some(mesh),
        _ => None,
    }
}

/// Warnings about boundaries whose meshes are open, and so are sheets, where the scene does not say that they are.
pub(crate) fn sheets(scene: &Scene) -> Vec<String> {
    let warning = |(i, boundary): (usize, &Boundary)| {
        let Shape::Mesh(MeshShape { file, content, sheet: false, .. }) = &boundary.shape else {
            return None;
        };
        let open = content.get().map_or(0, |solid| solid.mesh().open_edges());
        (open > 0).then(|| {
            format!(
                "boundary[{i}].shape.mesh.file: {file:?} has {open} open edges, so it is a sheet with two sides, one \
                 particle spacing thick (sheet = true if it is meant so); to be a solid or a container, it must have no hole"
            )
        })
    };
    scene.boundaries.iter().enumerate().filter_map(warning).collect()
}

/// Boundaries of particles that are meshes, with about how many they have: the area over the spacing's square.
pub(crate) fn sampled<'a>(
    scene: &'a Scene,
    registry: &Registry,
) -> Vec<(usize, &'a Boundary, &'a Arc<Solid>, f64)> {
    let Some(chosen) = registry.choose(scene).ok().filter(|_| scene.dimensions == 3) else {
        return Vec::new();
    };
    let of = |(i, boundary): (usize, &'a Boundary)| {
        let particles = matches!(chosen.response(boundary), Response::Particles { .. });
        let solid = boundary.shape.mesh().filter(|_| particles)?;
        Some((i, boundary, solid, solid.mesh().area() / scene.spacing().powi(2)))
    };
    scene.boundaries.iter().enumerate().filter_map(of).collect()
}

/// Problems of walls that would have more particles than are possible: sampling them would take hours.
pub(crate) fn crowds(scene: &Scene, registry: &Registry) -> Vec<Problem> {
    let walls = sampled(scene, registry).into_iter();
    let problem = |(i, _, _, count): (usize, &Boundary, &Arc<Solid>, f64)| {
        (count > f64::from(MAX_PARTICLES)).then(|| {
            let millions = count / 1e6;
            let message = format!(
                "needs {millions:.0} million boundary particles; at most {} are possible",
                MAX_PARTICLES / 1_000_000
            );
            Problem::new(format!("boundary[{i}].shape.mesh"), message).of(ProblemKind::TooMany)
        })
    };
    walls.filter_map(problem).collect()
}

/// Caches the particles of meshes across runs, since sampling them takes long.
pub(crate) fn warm_up(scene: &Scene, registry: &Registry) {
    let spacing = scene.spacing();
    for (_, boundary, solid, _) in sampled(scene, registry) {
        cache::make(solid, boundary.side.behind(0.5 * spacing), spacing);
    }
    for body in scene.bodies.iter().filter(|_| scene.dimensions == 3) {
        if let Some((_, solid)) = body.shape.mesh().and_then(|solid| solid.as_body()) {
            cache::make(solid, -body_depth(spacing, scene.dimensions), spacing);
        }
    }
}

fn extension(name: &str) -> String {
    let extension = Path::new(name).extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

fn read_mesh(files: &Files, name: &str) -> Result<TriangleMesh, String> {
    let (positions, triangles) = read_triangles(files, name)?;
    TriangleMesh::new(&positions, &triangles).map_err(|message| of_mesh(name, &message))
}

/// The message about a mesh: the first line of a library's says what is wrong.
fn of_mesh(name: &str, message: &str) -> String {
    format!("mesh {name:?}: {}", message.lines().next().unwrap_or_default())
}

/// Vertices and triangles as a file has them.
fn read_triangles(files: &Files, name: &str) -> Result<Triangles, String> {
    type Reader = fn(&Files, &str, &[u8]) -> Result<Triangles, String>;
    let reader: Reader = match extension(name).as_str() {
        "obj" => {
            let bytes = files.read_mesh(name)?;
            return obj::read(&bytes).map_err(|message| of_mesh(name, &message));
        }
        "ply" => |_, _, bytes| ply(bytes),
        "stl" => |_, _, bytes| stl(bytes),
        "gltf" | "glb" => |files, name, bytes| Ok(gltf::Model::read(files, name, bytes)?.rest()),
        _ => {
            return Err(format!(
                "{name:?} is not a mesh file: expected .obj, .ply, .stl, .gltf or .glb"
            ));
        }
    };
    let bytes = files.read(name)?;
    reader(files, name, &bytes).map_err(|message| of_mesh(name, &message))
}

/// Vertices, and three vertex indices per triangle.
type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

fn too_many(count: usize) -> Result<(), String> {
    if count <= MAX_TRIANGLES {
        return Ok(());
    }
    Err(format!("it has {count} triangles; the limit is {MAX_TRIANGLES}: decimate the mesh"))
}

fn stl(bytes: &[u8]) -> Result<Triangles, String> {
    // Binary files state a count, which may be wrong.
    if let Some(count) = bytes.get(80..84).filter(|_| !bytes.starts_with(b"solid")) {
        too_many(u32::from_le_bytes([count[0], count[1], count[2], count[3]]) as usize)?;
    }
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let positions = mesh.vertices.iter().map(|v| [v[0], v[1], v[2]].map(f64::from)).collect();
    let triangles = mesh.faces.iter().map(|face| face.vertices.map(|i| i as u32)).collect();
    Ok((positions, triangles))
}

fn ply(bytes: &[u8]) -> Result<Triangles, String> {
    use ply_rs_bw::parser::Parser;
    use ply_rs_bw::ply::{DefaultElement, Property};

    let ply = Parser::<DefaultElement>::new()
        .read_ply(&mut BufReader::new(bytes))
        .map_err(|error| error.to_string())?;
    let number = |element: &DefaultElement, key: &str| match element.get(key) {
        Some(Property::Float(x)) => Ok(f64::from(*x)),
        Some(Property::Double(x)) => Ok(*x),
        _ => Err(format!("a vertex has no coordinate {key}")),
    };
    let mut positions = Vec::new();
    for vertex in ply.payload.get("vertex").into_iter().flatten() {
        positions.push([number(vertex, "x")?, number(vertex, "y")?, number(vertex, "z")?]);
    }
    let faces = ply.payload.get("face").map_or(&[][..], Vec::as_slice);
    too_many(faces.len())?;
    let mut triangles = Vec::new();
    for face in faces {
        let corners = ["vertex_indices", "vertex_index"].iter().find_map(|key| face.get(*key));
        let corners: Vec<u32> = match corners {
            Some(Property::ListInt(list)) => list.iter().map(|i| i.cast_unsigned()).collect(),
            Some(Property::ListUInt(list)) => list.clone(),
            Some(Property::ListUShort(list)) => list.iter().map(|i| u32::from(*i)).collect(),
            Some(Property::ListShort(list)) => list.iter().map(|i| *i as u32).collect(),
            Some(Property::ListUChar(list)) => list.iter().map(|i| u32::from(*i)).collect(),
            _ => return Err("a face has no list vertex_indices".into()),
        };
        // Triangulate the face as a fan.
        for k in 2..corners.len() {
            triangles.push([corners[0], corners[k - 1], corners[k]]);
        }
    }
    Ok((positions, triangles))
}

fn read_points(files: &Files, name: &str) -> Result<Vec<Vec3>, String> {
    let say = |message: String| format!("particles {name:?}: {message}");
    let points = match extension(name).as_str() {
        "bgeo" => bgeo::read(&files.read(name)?).map_err(say)?,
        "ply" => ply(&files.read(name)?).map_err(say)?.0,
        "csv" => csv(&files.read(name)?).map_err(say)?,
        _ => {
            return Err(format!("{name:?} is not a particle file: expected .bgeo, .ply or .csv"));
        }
    };
    let set = PointSet { positions: points, velocities: Vec::new() };
    match set.problem() {
        Some(problem) => Err(say(problem)),
        None => Ok(set.positions),
    }
}

/// CSV as written by a run: columns by name, of which x, y and z are read.
fn csv(bytes: &[u8]) -> Result<Vec<Vec3>, String> {
    let mut text = String::new();
    Cursor::new(bytes).read_to_string(&mut text).map_err(|error| error.to_string())?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').map(str::trim).collect();
    let mut columns = Vec::new();
    for name in ["x", "y", "z"] {
        match head.iter().position(|title| *title == name) {
            Some(column) => columns.push(column),
            // Those of 2-D may leave it out.
            None if name == "z" => {}
            None => return Err(format!("the first line has no column {name}")),
        }
    }
    let mut points = Vec::new();
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let mut point = [0.0; 3];
        for (coordinate, column) in point.iter_mut().zip(&columns) {
            let cell = cells.get(*column).copied().unwrap_or("");
            *coordinate = cell
                .parse()
                .map_err(|_| format!("line {}: expected a number, found {cell:?}", number + 2))?;
        }
        points.push(point);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page cannot join the shells of a mesh.
    #[test]
    fn bundled_meshes_are_unions() {
        for name in scenes::mesh_names() {
            let (positions, triangles) = read_triangles(&Files::Bundled, name).expect(name);
            let united = TriangleMesh::new(&positions, &triangles);
            assert_eq!(united, TriangleMesh::with_shells(&positions, &triangles), "{name}");
        }
    }
}
