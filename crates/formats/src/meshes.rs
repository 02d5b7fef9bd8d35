//! Writers of mesh files: PLY, OBJ, binary glTF and VTK with the same contents. Lengths are in metres, y
//! is up.

mod glass;
mod glb;
mod obj;
mod ply;
mod poly_data;

use std::io::{self, Write};
use std::path::Path;

use strum::{EnumString, IntoStaticStr, VariantArray};

pub(crate) use glass::Glass;

use crate::error::Error;
use crate::write::write_whole;

/// Colour of water as sRGB.
const WATER: [f64; 3] = [0.349, 0.634, 0.735];

/// A triangle mesh, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Mesh {
    /// Name of the object; `surface` if empty.
    pub name: String,
    /// Colour of the material as sRGB, each from 0 to 1; that of water if absent.
    pub color: Option<[f64; 3]>,
    /// World positions of the vertices in m.
    pub position: Vec<[f32; 3]>,
    /// Outward normals, one per vertex, normalised when written; none if the triangles are flat.
    pub normal: Vec<[f32; 3]>,
    /// Velocities in m/s, one per vertex, for motion blur.
    pub velocity: Option<Vec<[f32; 3]>>,
    /// Speeds in m/s, one per vertex, also written as colours.
    pub speed: Option<Vec<f32>>,
    /// Speed in m/s at the end of the colour map; by default the highest speed. Use the same value
    /// for all files of a sequence to make their colours comparable.
    pub speed_limit: Option<f32>,
    /// Three vertex indices per triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Time in s, in VTK files.
    pub time: Option<f64>,
    /// How light passes through it, of liquids.
    pub(crate) glass: Option<Glass>,
    /// Colours of vertices as sRGB, where meshes of several colours are in one.
    pub(crate) tint: Option<Vec<[f64; 3]>>,
}

impl Mesh {
    /// A mesh without velocities and speeds.
    #[must_use]
    pub fn new(position: Vec<[f32; 3]>, normal: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Self {
        Self { position, normal, triangles, ..Self::default() }
    }

    /// The mesh as an object of this name, in this colour as sRGB.
    #[must_use]
    pub fn named(self, name: impl Into<String>, color: Option<[f64; 3]>) -> Self {
        Self { name: name.into(), color, ..self }
    }

    /// The mesh at a time in s, which VTK files have.
    #[must_use]
    pub fn at_time(self, time: f64) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Adds velocities.
    #[must_use]
    pub fn with_velocity(self, velocity: Vec<[f32; 3]>) -> Self {
        Self { velocity: Some(velocity), ..self }
    }

    /// Adds speeds, and the speed at the end of the colour map.
    #[must_use]
    pub fn with_speed(self, speed: Vec<f32>, limit: Option<f32>) -> Self {
        Self { speed: Some(speed), speed_limit: limit, ..self }
    }

    /// All meshes in one, with the values at vertices that each of them has.
    fn merged(meshes: &[Self]) -> Self {
        let mut all = Self {
            velocity: meshes.iter().all(|mesh| mesh.velocity.is_some()).then(Vec::new),
            speed: meshes.iter().all(|mesh| mesh.speed.is_some()).then(Vec::new),
            speed_limit: meshes.first().and_then(|mesh| mesh.speed_limit),
            time: meshes.first().and_then(|mesh| mesh.time),
            tint: meshes.iter().any(|mesh| mesh.color != meshes[0].color).then(Vec::new),
            ..Self::default()
        };
        let is_smooth = meshes.iter().all(|mesh| !mesh.normal.is_empty());
        for mesh in meshes {
            let first = all.position.len() as u32;
            all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|vertex| first + vertex)));
            all.position.extend(&mesh.position);
            all.normal.extend(mesh.normal.iter().filter(|_| is_smooth));
            if let Some(velocity) = &mut all.velocity {
                velocity.extend(mesh.velocity.iter().flatten());
            }
            if let Some(tint) = &mut all.tint {
                let color = mesh.color.unwrap_or(WATER);
                tint.extend(std::iter::repeat_n(color, mesh.position.len()));
            }
            if let Some(speed) = &mut all.speed {
                speed.extend(mesh.speed.iter().flatten());
            }
        }
        all
    }

    /// Name of the object.
    pub(crate) fn label(&self) -> &str {
        if self.name.is_empty() { "surface" } else { &self.name }
    }

    /// Colour as linear values.
    pub(crate) fn linear_color(&self) -> [f32; 3] {
        self.color.map_or([0.1, 0.36, 0.5], |color| color.map(linear))
    }

    /// Reason why the mesh is invalid.
    pub(crate) fn fault(&self) -> Option<String> {
        let vertices = self.position.len();
        let normals = if self.normal.is_empty() { vertices } else { self.normal.len() };
        let speeds = self.speed.as_ref().map_or(vertices, Vec::len);
        let velocities = self.velocity.as_ref().map_or(vertices, Vec::len);
        if [normals, speeds, velocities].iter().any(|count| *count != vertices) {
            return Some(format!(
                "{vertices} vertices have {normals} normals, {velocities} velocities and {speeds} speeds"
            ));
        }
        if i32::try_from(vertices).is_err() {
            return Some(format!("{vertices} vertices are more than mesh files can number"));
        }
        let finite = |vector: &[f32; 3]| vector.iter().all(|component| component.is_finite());
        if let Some(i) = self.position.iter().position(|position| !finite(position)) {
            return Some(format!("vertex {i} has a non-finite position"));
        }
        if let Some(i) = self.velocity.iter().flatten().position(|velocity| !finite(velocity)) {
            return Some(format!("vertex {i} has a non-finite velocity"));
        }
        let mut speeds = self.speed.iter().flatten();
        if let Some(i) = speeds.position(|speed| !speed.is_finite()) {
            return Some(format!("vertex {i} has a non-finite speed"));
        }
        let beyond = |triangle: &[u32; 3]| triangle.iter().any(|&i| i as usize >= vertices);
        let i = self.triangles.iter().position(beyond)?;
        let triangle = self.triangles[i];
        Some(format!("triangle {i} is {triangle:?}, but there are {vertices} vertices"))
    }

    /// Unit normals; up where one is zero.
    pub(crate) fn unit_normals(&self) -> impl ExactSizeIterator<Item = [f32; 3]> {
        self.normal.iter().map(|normal| {
            let normal = normal.map(f64::from);
            let length = normal.iter().map(|component| component * component).sum::<f64>().sqrt();
            if length > 0.0 && length.is_finite() {
                normal.map(|component| (component / length) as f32)
            } else {
                [0.0, 1.0, 0.0]
            }
        })
    }

    /// Speeds, and their colours in sRGB from 0 to 1.
    pub(crate) fn colors(&self) -> Option<(&[f32], impl Fn(f32) -> [f64; 3] + use<>)> {
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
    /// Binary little-endian PLY, all in one object; velocities are `vx`, `vy`, `vz`, speeds add `speed` and a colour
    /// per vertex, and so do several colours.
    Ply,
    /// Wavefront OBJ (text), an object per mesh; speeds add a colour per vertex. It cannot hold velocities.
    Obj,
    /// Binary glTF 2.0, a node per mesh; velocities are `_VELOCITY`, speeds add `_SPEED` and a colour per vertex.
    Glb,
    /// VTK XML (`.vtp`), all in one, for `ParaView`; velocities are `velocity`, speeds `speed`, several colours `color`.
    Vtk,
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
            Self::Vtk => "vtp",
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
    write_meshes(path, format, std::slice::from_ref(mesh))
}

/// Writes meshes as objects of one file.
///
/// # Errors
///
/// As [`write_mesh`].
pub fn write_meshes(path: &Path, format: MeshFormat, meshes: &[Mesh]) -> Result<(), Error> {
    write_whole(path, |writer| write(writer, format, meshes))
}

/// The bytes of the GLB file that [`write_mesh`] writes.
///
/// # Errors
///
/// A mesh that does not hold together, in a sentence.
pub fn glb_bytes(mesh: &Mesh) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write(&mut bytes, MeshFormat::Glb, std::slice::from_ref(mesh))?;
    Ok(bytes)
}

fn write(writer: &mut dyn Write, format: MeshFormat, meshes: &[Mesh]) -> io::Result<()> {
    if let Some(fault) = meshes.iter().find_map(Mesh::fault) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
    }
    match (format, meshes) {
        (MeshFormat::Obj, _) => obj::write(writer, meshes),
        (MeshFormat::Glb, _) => glb::write(writer, meshes),
        (MeshFormat::Ply, [mesh]) => ply::write(writer, mesh),
        (MeshFormat::Ply, _) => ply::write(writer, &Mesh::merged(meshes)),
        (MeshFormat::Vtk, [mesh]) => poly_data::write(writer, mesh),
        (MeshFormat::Vtk, _) => poly_data::write(writer, &Mesh::merged(meshes)),
    }
}

/// Converts an sRGB channel to linear, as glTF expects (IEC 61966-2-1).
pub(crate) fn linear(channel: f64) -> f32 {
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
    use vtkio::model::{Attribute, DataSet, VertexNumbers, Vtk};

    use super::*;
    use crate::vtk;
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

    const VELOCITIES: [[f32; 3]; 4] =
        [[0.0; 3], [1.5, 0.0, 0.0], [0.0, -3.0, 0.0], [0.0, 0.0, 4.5]];

    fn moving() -> Mesh {
        let mesh = tetrahedron().with_velocity(VELOCITIES.to_vec());
        mesh.with_speed(SPEEDS.to_vec(), Some(3.0))
    }

    fn written_all(format: MeshFormat, meshes: &[Mesh]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, format, meshes).expect("memory is not full");
        bytes
    }

    fn written(format: MeshFormat, mesh: &Mesh) -> Vec<u8> {
        written_all(format, std::slice::from_ref(mesh))
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
                    assert_eq!(["vx", "vy", "vz"].map(float), VELOCITIES[i]);
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
    fn light_passes_through_a_liquid_of_a_glb_file() {
        let glass = |transmission| Glass {
            transmission,
            ior: 1.333,
            roughness: 0.0,
            attenuation: ([0.1, 0.5, 0.8], 0.25),
        };
        let json = |mesh: &Mesh| -> serde_json::Value {
            // The crate gltf leaves out what it does not know.
            let bytes = written(MeshFormat::Glb, mesh);
            let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
            serde_json::from_slice(&bytes[20..20 + length]).expect("JSON")
        };
        let water = json(&Mesh { glass: Some(glass(1.0)), ..tetrahedron() });
        let text = water["materials"][0].to_string();
        assert!(
            text.contains("\"KHR_materials_transmission\":{\"transmissionFactor\":1.0}"),
            "{text}"
        );
        assert!(text.contains("\"attenuationDistance\":0.25"), "{text}");
        assert_eq!(water["extensionsUsed"].as_array().map(Vec::len), Some(3));
        // Colours of speeds, and what is opaque, are seen.
        let milk = json(&Mesh { glass: Some(glass(0.0)), ..tetrahedron() });
        assert!(!milk["materials"][0].to_string().contains("transmission"));
        let fast = json(&Mesh { glass: Some(glass(1.0)), ..moving() });
        assert!(!fast["materials"][0].to_string().contains("transmission"));
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
            let velocities = primitive.get(&Semantic::Extras("VELOCITY".into()));
            let offset = velocities.expect("velocities").view().expect("a view").offset();
            let floats = blob[offset..offset + 48].as_chunks().0.iter().copied();
            assert!(floats.map(f32::from_le_bytes).eq(VELOCITIES.as_flattened().iter().copied()));
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
    fn vtk_is_read_back() {
        let vtk = Vtk::parse_xml(written(MeshFormat::Vtk, &moving()).as_slice()).expect("VTK");
        let DataSet::PolyData { pieces, .. } = vtk.data else { panic!("not PolyData") };
        let piece = pieces[0].load_piece_data(None).expect("inline");
        assert_eq!(piece.points, moving().position.concat().into());
        let Some(VertexNumbers::XML { connectivity, offsets }) = piece.polys else {
            panic!("no polygons")
        };
        assert!(connectivity.iter().eq([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2].iter()));
        assert_eq!(offsets, [3, 6, 9, 12]);
        let names: Vec<&str> = piece.data.point.iter().map(Attribute::name).collect();
        assert_eq!(names, ["normal", "velocity", "speed"]);
        let Attribute::DataArray(velocity) = &piece.data.point[1] else { panic!("no array") };
        assert_eq!(velocity.data, VELOCITIES.concat().into());
    }

    /// Two tetrahedra without normals, named and coloured.
    fn two() -> [Mesh; 2] {
        ["a ball", "crate"].map(|name| {
            let mesh = Mesh::new(tetrahedron().position, Vec::new(), tetrahedron().triangles);
            mesh.named(name, Some([1.0, 0.0, 0.5]))
        })
    }

    #[test]
    fn meshes_are_objects_of_their_names() {
        let bytes = written_all(MeshFormat::Obj, &two());
        let materials = |_: &Path| panic!("no materials");
        let (models, _) =
            tobj::load_obj_buf(&mut bytes.as_slice(), &tobj::GPU_LOAD_OPTIONS, materials)
                .expect("OBJ");
        let names: Vec<_> = models.iter().map(|model| model.name.as_str()).collect();
        assert_eq!(names, ["a_ball", "crate"]);
        for model in &models {
            assert_eq!((model.mesh.positions.len(), model.mesh.indices.len()), (12, 12));
            assert!(model.mesh.normals.is_empty());
        }
        let gltf = Gltf::from_slice(&written_all(MeshFormat::Glb, &two())).expect("glTF");
        let blob = gltf.blob.as_deref().expect("a chunk of arrays");
        let nodes: Vec<_> = gltf.default_scene().expect("a scene").nodes().collect();
        let names: Vec<_> = nodes.iter().filter_map(gltf::Node::name).collect();
        assert_eq!(names, ["a ball", "crate"]);
        for node in nodes {
            let primitive = node.mesh().expect("a mesh").primitives().next().expect("a primitive");
            let reader = primitive.reader(|_| Some(blob));
            assert!(reader.read_positions().expect("positions").eq(tetrahedron().position));
            assert!(reader.read_normals().is_none());
            let [red, green, blue, _] =
                primitive.material().pbr_metallic_roughness().base_color_factor();
            assert!(near(red, 1.0) && green == 0.0 && near(blue, linear(0.5)));
        }
        let ply = written_all(MeshFormat::Ply, &two());
        let ply = Parser::<DefaultElement>::new().read_ply(&mut ply.as_slice()).expect("PLY");
        assert_eq!((ply.payload["vertex"].len(), ply.payload["face"].len()), (8, 8));
        assert_eq!(ply.payload["face"][7]["vertex_indices"], Property::ListInt(vec![4, 7, 6]));
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
            // VTK 9.7 reads this file.
            assert_eq!(written(MeshFormat::Vtk, &mesh), vtk::EMPTY.as_bytes());
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
        let faults: [(Change, &str); 6] = [
            (
                |mesh| mesh.normal.truncate(3),
                "4 vertices have 3 normals, 4 velocities and 4 speeds",
            ),
            (
                |mesh| mesh.speed = Some(vec![0.0; 5]),
                "4 vertices have 4 normals, 4 velocities and 5 speeds",
            ),
            (
                |mesh| mesh.velocity = Some(vec![[f32::INFINITY; 3]; 4]),
                "vertex 0 has a non-finite velocity",
            ),
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
                    let mesh = std::slice::from_ref(&mesh);
                    write(&mut FullAfter(room), *format, mesh).expect_err("the disk is full");
                }
            }
        }
    }

    #[test]
    fn file_names() {
        let names: Vec<_> = MeshFormat::ALL.iter().map(|kind| kind.file_name(12)).collect();
        let expected = ["ply", "obj", "glb", "vtp"].map(|name| format!("surface_00012.{name}"));
        assert_eq!(names, expected);
    }
}
