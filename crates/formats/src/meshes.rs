//! Writers of mesh files: PLY, OBJ and binary glTF with the same contents. Lengths are in metres, y
//! is up.
//!
//! GLB is written with `json!` rather than the crate gltf-json: filling in its structs takes more
//! lines than the JSON itself, and its container needs all arrays in memory at once.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::error::Error;
use crate::write::write_whole;

/// A triangle mesh, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Mesh {
    /// World positions of the vertices in m.
    pub position: Vec<[f32; 3]>,
    /// Outward normals, one per vertex; normalised when written.
    pub normal: Vec<[f32; 3]>,
    /// Speeds in m/s, one per vertex, also written as colours.
    pub speed: Option<Vec<f32>>,
    /// Speed in m/s at the end of the colour map; by default the highest speed. Use the same value
    /// for all files of a sequence to make their colours comparable.
    pub speed_limit: Option<f32>,
    /// Velocities in m/s, one per vertex.
    pub velocity: Option<Vec<[f32; 3]>>,
    /// Three vertex indices per triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// A mesh without speeds.
    #[must_use]
    pub fn new(position: Vec<[f32; 3]>, normal: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Self {
        Self { position, normal, triangles, ..Self::default() }
    }

    /// Adds speeds, and the speed at the end of the colour map.
    #[must_use]
    pub fn with_speed(self, speed: Vec<f32>, limit: Option<f32>) -> Self {
        Self { speed: Some(speed), speed_limit: limit, ..self }
    }

    /// Adds velocities, from which programs make motion blur.
    #[must_use]
    pub fn with_velocity(self, velocity: Vec<[f32; 3]>) -> Self {
        Self { velocity: Some(velocity), ..self }
    }

    /// Reason why the mesh is invalid.
    fn fault(&self) -> Option<String> {
        let vertices = self.position.len();
        let speeds = self.speed.as_ref().map_or(vertices, Vec::len);
        if self.normal.len() != vertices || speeds != vertices {
            let normals = self.normal.len();
            return Some(format!("{vertices} vertices have {normals} normals and {speeds} speeds"));
        }
        let velocities = self.velocity.as_ref().map_or(vertices, Vec::len);
        if velocities != vertices {
            return Some(format!("{vertices} vertices have {velocities} velocities"));
        }
        if i32::try_from(vertices).is_err() {
            return Some(format!("{vertices} vertices are more than mesh files can number"));
        }
        let finite = |position: &[f32; 3]| position.iter().all(|coordinate| coordinate.is_finite());
        if let Some(i) = self.position.iter().position(|position| !finite(position)) {
            return Some(format!("vertex {i} has a non-finite position"));
        }
        let mut speeds = self.speed.iter().flatten();
        if let Some(i) = speeds.position(|speed| !speed.is_finite()) {
            return Some(format!("vertex {i} has a non-finite speed"));
        }
        let mut velocities = self.velocity.iter().flatten();
        if let Some(i) = velocities.position(|velocity| !finite(velocity)) {
            return Some(format!("vertex {i} has a non-finite velocity"));
        }
        let beyond = |triangle: &[u32; 3]| triangle.iter().any(|&i| i as usize >= vertices);
        let i = self.triangles.iter().position(beyond)?;
        let triangle = self.triangles[i];
        Some(format!("triangle {i} is {triangle:?}, but there are {vertices} vertices"))
    }

    /// Unit normal at a vertex; up if it is zero.
    pub(crate) fn unit_normal(&self, vertex: usize) -> [f32; 3] {
        let normal = self.normal[vertex].map(f64::from);
        let length = normal.iter().map(|component| component * component).sum::<f64>().sqrt();
        if length > 0.0 && length.is_finite() {
            normal.map(|component| (component / length) as f32)
        } else {
            [0.0, 1.0, 0.0]
        }
    }

    /// Speeds, and their colours in sRGB from 0 to 1.
    fn colors(&self) -> Option<(&[f32], impl Fn(f32) -> [f64; 3] + use<>)> {
        let speed = self.speed.as_deref()?;
        let limit = self.speed_limit.unwrap_or_else(|| speed.iter().copied().fold(0.0, f32::max));
        Some((speed, move |speed| viridis(f64::from(speed) / f64::from(limit))))
    }
}

/// Format of a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum MeshFormat {
    /// Binary little-endian PLY with normals; velocities add `vx`, `vy`, `vz`, and speeds `speed` and a colour per
    /// vertex.
    Ply,
    /// Wavefront OBJ (text) with normals; speeds add a colour per vertex. It has no velocities.
    Obj,
    /// Binary glTF 2.0 with normals; velocities add `_VELOCITY`, speeds `_SPEED` and a colour per vertex.
    Glb,
}

impl MeshFormat {
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
            Self::Obj => "obj",
            Self::Glb => "glb",
        }
    }

    /// File name for a frame, as in `surface_00012.ply`.
    #[must_use]
    pub fn file_name(self, frame: u32) -> String {
        format!("surface_{frame:05}.{}", self.extension())
    }
}

/// Writes a mesh, which may be empty.
///
/// # Errors
///
/// [`Error::Write`], also for an invalid mesh, for example with a non-finite position or a vertex
/// index out of range. An existing file is then unchanged.
pub fn write_mesh(path: &Path, format: MeshFormat, mesh: &Mesh) -> Result<(), Error> {
    write_whole(path, |writer| write(writer, format, mesh))
}

/// The bytes of the GLB file that [`write_mesh`] writes.
///
/// # Errors
///
/// A mesh that does not hold together, in a sentence.
pub fn glb_bytes(mesh: &Mesh) -> io::Result<Vec<u8>> {
    if let Some(fault) = mesh.fault() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
    }
    let mut bytes = Vec::new();
    write_glb(&mut bytes, mesh)?;
    Ok(bytes)
}

fn write(writer: &mut dyn Write, format: MeshFormat, mesh: &Mesh) -> io::Result<()> {
    if let Some(fault) = mesh.fault() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
    }
    match format {
        MeshFormat::Ply => write_ply(writer, mesh),
        MeshFormat::Obj => write_obj(writer, mesh),
        MeshFormat::Glb => write_glb(writer, mesh),
    }
}

fn write_floats(writer: &mut dyn Write, values: &[f32]) -> io::Result<()> {
    values.iter().try_for_each(|value| writer.write_all(&value.to_le_bytes()))
}

fn write_indices(writer: &mut dyn Write, triangle: &[u32; 3]) -> io::Result<()> {
    triangle.iter().try_for_each(|vertex| writer.write_all(&vertex.to_le_bytes()))
}

fn write_ply(writer: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    writeln!(writer, "ply\nformat binary_little_endian 1.0\ncomment metres, y is up")?;
    writeln!(writer, "element vertex {}", mesh.position.len())?;
    for name in ["x", "y", "z", "nx", "ny", "nz"] {
        writeln!(writer, "property float {name}")?;
    }
    if mesh.velocity.is_some() {
        for name in ["vx", "vy", "vz"] {
            writeln!(writer, "property float {name}")?;
        }
    }
    let colors = mesh.colors();
    if colors.is_some() {
        writeln!(writer, "property float speed")?;
        for name in ["red", "green", "blue"] {
            writeln!(writer, "property uchar {name}")?;
        }
    }
    writeln!(writer, "element face {}", mesh.triangles.len())?;
    writeln!(writer, "property list uchar int vertex_indices\nend_header")?;
    for (i, position) in mesh.position.iter().enumerate() {
        write_floats(writer, position)?;
        write_floats(writer, &mesh.unit_normal(i))?;
        if let Some(velocity) = &mesh.velocity {
            write_floats(writer, &velocity[i])?;
        }
        if let Some((speed, color)) = &colors {
            write_floats(writer, &[speed[i]])?;
            writer.write_all(&color(speed[i]).map(|channel| (255.0 * channel).round() as u8))?;
        }
    }
    for triangle in &mesh.triangles {
        writer.write_all(&[3])?;
        write_indices(writer, triangle)?;
    }
    Ok(())
}

fn write_obj(writer: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    writeln!(writer, "# metres, y is up\no surface")?;
    let colors = mesh.colors();
    for (i, [x, y, z]) in mesh.position.iter().enumerate() {
        if let Some((speed, color)) = &colors {
            let [red, green, blue] = color(speed[i]);
            writeln!(writer, "v {x} {y} {z} {red:.4} {green:.4} {blue:.4}")?;
        } else {
            writeln!(writer, "v {x} {y} {z}")?;
        }
    }
    for i in 0..mesh.position.len() {
        let [x, y, z] = mesh.unit_normal(i);
        writeln!(writer, "vn {x} {y} {z}")?;
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| vertex + 1);
        writeln!(writer, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    Ok(())
}

// Constants of glTF.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Arrays of a glTF file, one buffer view each.
#[derive(Default)]
struct Arrays {
    length: usize,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Arrays {
    /// Adds an array of 32-bit values, and returns its accessor's index.
    fn add(&mut self, kind: &str, components: usize, count: usize, what: [u32; 2]) -> usize {
        let [component, target] = what;
        let (offset, bytes) = (self.length, 4 * components * count);
        self.length += bytes;
        let view = self.views.len();
        self.views.push(json!({
            "buffer": 0, "byteOffset": offset, "byteLength": bytes, "target": target,
        }));
        self.accessors.push(json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind,
        }));
        view
    }
}

/// JSON of a mesh that has triangles, and the length of its arrays in bytes.
fn gltf_surface(mesh: &Mesh) -> (Value, usize) {
    let vertices = mesh.position.len();
    let mut arrays = Arrays::default();
    let vertex = [FLOAT, ARRAY_BUFFER];
    let position = arrays.add("VEC3", 3, vertices, vertex);
    let bound = |fold: fn(f32, f32) -> f32, axis: usize| {
        mesh.position.iter().map(|position| position[axis]).reduce(fold)
    };
    arrays.accessors[position]["min"] = json!([0, 1, 2].map(|axis| bound(f32::min, axis)));
    arrays.accessors[position]["max"] = json!([0, 1, 2].map(|axis| bound(f32::max, axis)));
    let normal = arrays.add("VEC3", 3, vertices, vertex);
    let mut attributes = json!({ "POSITION": position, "NORMAL": normal });
    if mesh.velocity.is_some() {
        attributes["_VELOCITY"] = arrays.add("VEC3", 3, vertices, vertex).into();
    }
    // Vertex colours multiply the material's colour.
    let mut water = [0.1, 0.36, 0.5, 1.0];
    if mesh.speed.is_some() {
        attributes["_SPEED"] = arrays.add("SCALAR", 1, vertices, vertex).into();
        attributes["COLOR_0"] = arrays.add("VEC3", 3, vertices, vertex).into();
        water = [1.0; 4];
    }
    let triangle = [UNSIGNED_INT, ELEMENT_ARRAY_BUFFER];
    let indices = arrays.add("SCALAR", 1, 3 * mesh.triangles.len(), triangle);
    let surface = json!({
        "nodes": [{ "name": "surface", "mesh": 0 }],
        "meshes": [{
            "name": "surface",
            "primitives": [{ "attributes": attributes, "indices": indices, "material": 0 }],
        }],
        "materials": [{
            "name": "water",
            "pbrMetallicRoughness": {
                "baseColorFactor": water, "metallicFactor": 0.0, "roughnessFactor": 0.1,
            },
        }],
        "accessors": arrays.accessors,
        "bufferViews": arrays.views,
        "buffers": [{ "byteLength": arrays.length }],
    });
    (surface, arrays.length)
}

/// A GLB file: a 12-byte header, a JSON chunk, and a chunk of arrays if there are any.
fn write_glb(writer: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    // glTF does not allow empty arrays: without triangles, the node has no mesh.
    let (mut document, arrays) = if mesh.triangles.is_empty() {
        (json!({ "nodes": [{ "name": "surface" }] }), 0)
    } else {
        gltf_surface(mesh)
    };
    let generator = concat!("meniscus ", env!("CARGO_PKG_VERSION"));
    document["asset"] = json!({ "version": "2.0", "generator": generator });
    document["scenes"] = json!([{ "nodes": [0] }]);
    document["scene"] = 0.into();
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');

    let chunks = if arrays == 0 { 1 } else { 2 };
    let length = u32::try_from(12 + 8 * chunks + text.len() + arrays)
        .map_err(|_| io::Error::other("GLB files end at 4 GiB; PLY files do not"))?;
    writer.write_all(b"glTF")?;
    writer.write_all(&2u32.to_le_bytes())?;
    writer.write_all(&length.to_le_bytes())?;
    writer.write_all(&(text.len() as u32).to_le_bytes())?;
    writer.write_all(b"JSON")?;
    writer.write_all(&text)?;
    if arrays == 0 {
        return Ok(());
    }
    // All values have 4 bytes, so the chunk needs no padding.
    writer.write_all(&(arrays as u32).to_le_bytes())?;
    writer.write_all(b"BIN\0")?;
    write_floats(writer, mesh.position.as_flattened())?;
    for i in 0..mesh.position.len() {
        write_floats(writer, &mesh.unit_normal(i))?;
    }
    if let Some(velocity) = &mesh.velocity {
        write_floats(writer, velocity.as_flattened())?;
    }
    if let Some((speed, color)) = mesh.colors() {
        write_floats(writer, speed)?;
        for &speed in speed {
            write_floats(writer, &color(speed).map(linear))?;
        }
    }
    mesh.triangles.iter().try_for_each(|triangle| write_indices(writer, triangle))
}

/// Converts an sRGB channel to linear, as glTF expects (IEC 61966-2-1).
fn linear(channel: f64) -> f32 {
    let linear =
        if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) };
    linear as f32
}

/// Perceptually uniform colour map viridis (N. Smith, S. van der Walt 2015) from 0 to 1, as sRGB
/// from 0 to 1.
fn viridis(value: f64) -> [f64; 3] {
    // If all vertices are at rest, 0 / 0 is shown as 0.
    let value = if value.is_nan() { 0.0 } else { value };
    colorous::VIRIDIS.eval_continuous(value).into_array().map(|channel| f64::from(channel) / 255.0)
}

#[cfg(test)]
mod tests {
    use gltf::Gltf;
    use gltf::mesh::Semantic;
    use ply_rs_bw::parser::Parser;
    use ply_rs_bw::ply::{DefaultElement, Property};

    use super::*;
    use crate::write::tests::FullAfter;

    /// A tetrahedron whose normals are not of unit length.
    fn tetrahedron() -> Mesh {
        let position = vec![[-1.25, 0.0, 0.0], [2.5, 0.0, 0.0], [0.0, 3.1, 0.0], [0.0, 0.0, 4.7]];
        let normal = vec![[-3.0, 0.0, 4.0], [0.1, 0.0, 0.0], [0.0, 2e20, 0.0], [0.0; 3]];
        Mesh::new(position, normal, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    }

    const UNIT_NORMALS: [[f32; 3]; 4] =
        [[-0.6, 0.0, 0.8], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    const SPEEDS: [f32; 4] = [0.0, 1.5, 3.0, 4.5];
    /// The first, the middle, the last, and the last.
    const COLORS: [[u8; 3]; 4] = [[68, 1, 84], [32, 144, 140], [253, 231, 37], [253, 231, 37]];

    fn moving() -> Mesh {
        tetrahedron().with_speed(SPEEDS.to_vec(), Some(3.0))
    }

    fn written(format: MeshFormat, mesh: &Mesh) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, format, mesh).expect("memory is not full");
        bytes
    }

    fn near(a: f32, b: f32) -> bool {
        (a - b).abs() < 1e-6
    }

    fn rounded(color: [f32; 3]) -> [u8; 3] {
        color.map(|channel| (255.0 * channel).round() as u8)
    }

    #[test]
    fn ply_is_read_back() {
        for mesh in [tetrahedron(), moving()] {
            let bytes = written(MeshFormat::Ply, &mesh);
            let mut reader = bytes.as_slice();
            let ply = Parser::<DefaultElement>::new().read_ply(&mut reader).expect("PLY");
            assert!(reader.is_empty());
            assert_eq!(ply.payload["vertex"].len(), 4);
            for (i, vertex) in ply.payload["vertex"].iter().enumerate() {
                let float = |name: &str| match vertex[name] {
                    Property::Float(value) => value,
                    ref other => panic!("{name} is {other:?}"),
                };
                assert_eq!(["x", "y", "z"].map(float), mesh.position[i]);
                assert_eq!(["nx", "ny", "nz"].map(float), UNIT_NORMALS[i]);
                assert_eq!(vertex.contains_key("speed"), mesh.speed.is_some());
                if mesh.speed.is_some() {
                    assert_eq!(float("speed"), SPEEDS[i]);
                    let color = ["red", "green", "blue"].map(|name| vertex[name].clone());
                    assert_eq!(color, COLORS[i].map(Property::UChar));
                }
            }
            let faces = ply.payload["face"].iter().map(|face| face["vertex_indices"].clone());
            let expected = mesh.triangles.iter().map(|triangle| {
                Property::ListInt(triangle.iter().map(|&vertex| vertex as i32).collect())
            });
            assert!(faces.eq(expected));
        }
    }

    #[test]
    fn obj_is_read_back() {
        for mesh in [tetrahedron(), moving()] {
            let bytes = written(MeshFormat::Obj, &mesh);
            let materials = |_: &Path| panic!("no materials");
            let options = tobj::LoadOptions { single_index: true, ..Default::default() };
            let (models, _) =
                tobj::load_obj_buf(&mut bytes.as_slice(), &options, materials).expect("OBJ");
            let [model] = models.as_slice() else { panic!("{} objects", models.len()) };
            assert_eq!(model.name, "surface");
            // tobj renumbers vertices in the order in which faces refer to them.
            let read = &model.mesh;
            assert_eq!(read.positions.len(), 12);
            assert_eq!(read.vertex_color.is_empty(), mesh.speed.is_none());
            let vertex = |array: &[f32], i: u32| -> [f32; 3] { array.as_chunks().0[i as usize] };
            for (&new, &old) in read.indices.iter().zip(mesh.triangles.as_flattened()) {
                let old = old as usize;
                assert_eq!(vertex(&read.positions, new), mesh.position[old]);
                assert_eq!(vertex(&read.normals, new), UNIT_NORMALS[old]);
                if mesh.speed.is_some() {
                    assert_eq!(rounded(vertex(&read.vertex_color, new)), COLORS[old]);
                }
            }
        }
    }

    #[test]
    fn glb_is_read_back() {
        for mesh in [tetrahedron(), moving()] {
            let bytes = written(MeshFormat::Glb, &mesh);
            assert_eq!(bytes.len() % 4, 0);
            let gltf = Gltf::from_slice(&bytes).expect("glTF");
            let blob = gltf.blob.as_deref().expect("a chunk of arrays");
            let node = gltf.default_scene().expect("a scene").nodes().next().expect("a node");
            let surface = node.mesh().expect("a mesh");
            let primitive = surface.primitives().next().expect("a primitive");
            assert!(!primitive.material().double_sided());
            let bounds = primitive.bounding_box();
            assert_eq!((bounds.min, bounds.max), ([-1.25, 0.0, 0.0], [2.5, 3.1, 4.7]));

            let reader = primitive.reader(|_| Some(blob));
            assert!(reader.read_positions().expect("positions").eq(mesh.position.iter().copied()));
            assert!(reader.read_normals().expect("normals").eq(UNIT_NORMALS));
            let indices = reader.read_indices().expect("indices").into_u32();
            assert!(indices.eq(mesh.triangles.as_flattened().iter().copied()));

            let colors = reader.read_colors(0);
            let speeds = primitive.get(&Semantic::Extras("SPEED".into()));
            if mesh.speed.is_none() {
                assert!(colors.is_none() && speeds.is_none());
                continue;
            }
            let colors = colors.expect("colours").into_rgb_f32();
            for (color, expected) in colors.zip(COLORS) {
                let linear = expected.map(|channel| linear(f64::from(channel) / 255.0));
                assert!(color.iter().zip(linear).all(|(&a, b)| near(a, b)));
            }
            let speeds = speeds.expect("speeds");
            let offset = speeds.view().expect("a view").offset();
            assert_eq!(speeds.count(), 4);
            let speeds = blob[offset..offset + 16].as_chunks().0.iter().copied();
            assert!(speeds.map(f32::from_le_bytes).eq(SPEEDS));
        }
    }

    #[test]
    fn an_empty_mesh_is_a_file_too() {
        for mesh in [Mesh::default(), Mesh::default().with_speed(Vec::new(), None)] {
            let ply = written(MeshFormat::Ply, &mesh);
            let ply = Parser::<DefaultElement>::new().read_ply(&mut ply.as_slice()).expect("PLY");
            assert!(ply.payload["vertex"].is_empty() && ply.payload["face"].is_empty());
            let obj = String::from_utf8(written(MeshFormat::Obj, &mesh)).expect("text");
            assert_eq!(obj, "# metres, y is up\no surface\n");
            let gltf = Gltf::from_slice(&written(MeshFormat::Glb, &mesh)).expect("glTF");
            assert!(gltf.blob.is_none());
            assert_eq!((gltf.nodes().count(), gltf.meshes().count()), (1, 0));
        }
    }

    #[test]
    fn at_rest_all_is_the_first_color() {
        let mesh = tetrahedron().with_speed(vec![0.0; 4], None);
        let (speed, color) = mesh.colors().expect("colours");
        assert!(speed.iter().all(|&speed| color(speed) == viridis(0.0)));
        assert_eq!(viridis(f64::NAN), viridis(0.0));
        // Without a limit, the fastest vertex has the last colour.
        let mesh = tetrahedron().with_speed(SPEEDS.to_vec(), None);
        let (_, color) = mesh.colors().expect("colours");
        assert_eq!(color(4.5), viridis(1.0));
        assert_ne!(color(3.0), viridis(1.0));
    }

    #[test]
    fn what_is_no_mesh_is_refused_with_a_sentence() {
        type Change = fn(&mut Mesh);
        let faults: [(Change, &str); 5] = [
            (|mesh| mesh.normal.truncate(3), "4 vertices have 3 normals and 4 speeds"),
            (|mesh| mesh.speed = Some(vec![0.0; 5]), "4 vertices have 4 normals and 5 speeds"),
            (|mesh| mesh.position[2][1] = f32::NAN, "vertex 2 has a non-finite position"),
            (|mesh| mesh.speed = Some(vec![f32::NAN; 4]), "vertex 0 has a non-finite speed"),
            (|mesh| mesh.triangles[1][2] = 4, "triangle 1 is [0, 1, 4], but there are 4 vertices"),
        ];
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (change, sentence) in faults {
            let mut mesh = moving();
            change(&mut mesh);
            for &format in MeshFormat::ALL {
                let path = folder.path().join(format.file_name(0));
                let error = write_mesh(&path, format, &mesh).expect_err("no mesh").to_string();
                assert_eq!(error, format!("cannot write {}: {sentence}", path.display()));
                assert!(!path.exists());
            }
        }
    }

    #[test]
    fn a_full_disk_is_an_error_at_every_byte() {
        for format in MeshFormat::ALL {
            for mesh in [Mesh::default(), moving()] {
                for room in 0..written(*format, &mesh).len() {
                    write(&mut FullAfter(room), *format, &mesh).expect_err("the disk is full");
                }
            }
        }
    }

    #[test]
    fn file_names() {
        let names: Vec<_> = MeshFormat::ALL.iter().map(|kind| kind.file_name(12)).collect();
        assert_eq!(names, ["surface_00012.ply", "surface_00012.obj", "surface_00012.glb"]);
    }
}
