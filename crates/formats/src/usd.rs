//! A run as one animated layer of USD (`.usda`, text, or `.usdc`, binary): the fluid's surface with velocities for motion blur, bodies and
//! moving boundaries by transforms, boundaries that change their shape by points, foam as points with ids, velocities and kinds. (Alembic needs a C++ library and is not written: programs that import USD convert it.)
//!
//! USD has all time samples of an attribute together. Those of a run are collected in a temporary file for each
//! attribute, and copied into the layer when it is saved.

mod binary;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use glam::DQuat;
use meniscus_model::motion::{Pose, pose_at};
use meniscus_model::scene::{Boundary, Motion, Side, Value};
use meniscus_model::{BodyReport, FoamKind, FoamParticle, Scene, methods::Axis};

use crate::Mesh;
use crate::boundaries::{GREY, body_meshes, boundary_meshes};
use crate::error::Error;
use crate::write::write_whole;

/// A layer being made.
#[derive(Debug)]
pub struct Animation {
    path: PathBuf,
    parts: Vec<Part>,
    moving: Vec<Moving>,
    /// Numbers of the first frame and of the last.
    frames: Option<[u32; 2]>,
    fps: f64,
    up: &'static str,
    with_speed: bool,
    /// Size of patches of foam in m.
    foam_size: f64,
}

/// A boundary that moves, and the place of its middle at the start.
#[derive(Debug)]
struct Moving {
    boundary: Boundary,
    motions: Vec<Motion>,
    start: Pose,
}

impl Moving {
    /// Samples of its attributes at a time in s: extent and points of one that changes its shape, and the place of each.
    fn samples(&self, time: f64) -> Vec<String> {
        let points = self.boundary.frames().map(|shape| {
            let own = shape.at(time).into_iter();
            own.map(|p| (p - self.start.position).as_vec3().to_array()).collect::<Vec<_>>()
        });
        let shape = points.map(|points| [tuples(&corners(&points)), tuples(&points)]);
        let place = place(pose_at(&self.motions, self.start, time));
        shape.into_iter().flatten().chain(place).collect()
    }
}

/// Samples of a place.
fn place(Pose { position, rotation }: Pose) -> [String; 2] {
    let [x, y, z, w] = rotation.to_array();
    let [px, py, pz] = position.to_array();
    [format!("({px},{py},{pz})"), format!("({w},{x},{y},{z})")]
}

/// Corners of the bounding box of points; 0 without any.
fn corners(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let corner = |fold: fn(f32, f32) -> f32| {
        let reduced = |axis: usize| points.iter().map(|p| p[axis]).reduce(fold);
        [0, 1, 2].map(|axis| reduced(axis).unwrap_or(0.0))
    };
    [corner(f32::min), corner(f32::max)]
}

/// Text of a layer.
#[derive(Debug)]
enum Part {
    Text(String),
    /// An attribute with time samples: type and name, and a line for each sample.
    Samples(String, File),
}

impl Animation {
    /// A layer of the scene with a surface of each of these materials, without samples yet. A run that resumes after a frame keeps those up to it of the file
    /// that is there.
    ///
    /// # Errors
    /// [`Error::Write`] if there is no room for temporary files beside it.
    pub fn open(
        path: PathBuf,
        scene: &Scene,
        materials: &[u32],
        with_speed: bool,
        with_boundaries: bool,
        resumed: Option<u32>,
    ) -> Result<Self, Error> {
        let fail = |source| Error::Write { path: path.display().to_string(), source };
        let mut layer = Layer { folder: folder_of(&path), parts: Vec::new(), names: Vec::new() };
        let boundaries = if with_boundaries { boundary_meshes(scene) } else { Vec::new() };
        let moving = layer.scene(scene, materials, boundaries, with_speed).map_err(fail)?;
        let mut animation = Self {
            path: path.clone(),
            parts: layer.parts,
            moving,
            frames: None,
            fps: scene.time.fps,
            up: if scene.gravity[2].abs() > scene.gravity[1].abs() { "Z" } else { "Y" },
            with_speed,
            foam_size: foam_size(scene),
        };
        if let Some(frame) = resumed {
            if animation.is_binary() && path.exists() {
                let text = "a binary layer cannot go on with its frames so far; a layer of text, .usda, can";
                return Err(fail(io::Error::other(text)));
            }
            animation.keep_until(frame).map_err(fail)?;
        }
        Ok(animation)
    }

    /// Adds the samples of a frame at a time in s, with the surfaces in the order of the materials, and foam if the scene has it.
    ///
    /// # Errors
    /// [`Error::Write`], also for an invalid mesh.
    pub fn add(
        &mut self,
        frame: u32,
        time: f64,
        fluids: &[Mesh],
        bodies: &[BodyReport],
        foam: &[FoamParticle],
    ) -> Result<(), Error> {
        let path = self.path.display().to_string();
        let fail = |source| Error::Write { path, source };
        if let Some(fault) = fluids.iter().find_map(Mesh::fault) {
            return Err(fail(io::Error::new(io::ErrorKind::InvalidData, fault)));
        }
        let poses = bodies.iter().map(|body| Pose {
            position: body.position.into(),
            rotation: DQuat::from_array(body.rotation).normalize(),
        });
        let moved = self.moving.iter().flat_map(|moving| moving.samples(time));
        let fluids = fluids.iter().flat_map(|mesh| surface(mesh, self.with_speed));
        let samples =
            fluids.chain(poses.flat_map(place)).chain(moved).chain(particles(foam, self.foam_size));
        let files = self.parts.iter_mut().filter_map(|part| match part {
            Part::Samples(_, file) => Some(file),
            Part::Text(_) => None,
        });
        for (file, sample) in files.zip(samples) {
            writeln!(file, "{frame}: {sample},")
                .map_err(|source| Error::Write { path: self.path.display().to_string(), source })?;
        }
        self.frames = Some([self.frames.map_or(frame, |frames| frames[0]), frame]);
        Ok(())
    }

    /// Whether the file is to be a binary one.
    fn is_binary(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("usdc"))
    }

    /// Writes the layer with the samples so far.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn save(&mut self) -> Result<(), Error> {
        let path = self.path.clone();
        if !self.is_binary() {
            return write_whole(&path, |writer| self.write(writer));
        }
        write_whole(&path, |writer| {
            let folder = folder_of(&self.path);
            let mut text = tempfile::tempfile_in(&folder)?;
            let mut buffer = BufWriter::new(&mut text);
            self.write(&mut buffer)?;
            buffer.flush()?;
            drop(buffer);
            text.seek(SeekFrom::Start(0))?;
            let mut made = tempfile::tempfile_in(&folder)?;
            binary::convert(BufReader::new(text), BufWriter::new(&mut made))?;
            made.seek(SeekFrom::Start(0))?;
            io::copy(&mut made, writer).map(|_| ())
        })
    }

    /// Writes the text of the layer.
    fn write(&mut self, writer: &mut dyn Write) -> io::Result<()> {
        let (fps, up, [first, last]) = (self.fps, self.up, self.frames.unwrap_or_default());
        write!(
            writer,
            "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"meniscus {}\"\n    endTimeCode = {last}\n    \
             framesPerSecond = {fps}\n    metersPerUnit = 1\n    startTimeCode = {first}\n    \
             timeCodesPerSecond = {fps}\n    upAxis = \"{up}\"\n)\n",
            env!("CARGO_PKG_VERSION"),
        )?;
        for part in &mut self.parts {
            match part {
                Part::Text(text) => writer.write_all(text.as_bytes())?,
                Part::Samples(attribute, file) => {
                    writeln!(writer, "{attribute}.timeSamples = {{")?;
                    file.seek(SeekFrom::Start(0))?;
                    io::copy(file, writer)?;
                    writeln!(writer, "}}")?;
                }
            }
        }
        Ok(())
    }

    /// Takes the samples up to a frame from the file, if it has the same attributes.
    fn keep_until(&mut self, frame: u32) -> io::Result<()> {
        let Ok(file) = File::open(&self.path) else { return Ok(()) };
        let mut lines = BufReader::new(file).lines();
        for part in &mut self.parts {
            let Part::Samples(attribute, samples) = part else { continue };
            let head = format!("{attribute}.timeSamples = {{");
            let mut samples = BufWriter::new(samples);
            while let Some(line) = lines.next().transpose()? {
                if line == head {
                    break;
                }
            }
            while let Some(line) = lines.next().transpose()? {
                let number = line.split_once(": ").and_then(|(number, _)| number.parse().ok());
                let Some(number) = number else { break };
                if number <= frame {
                    writeln!(samples, "{line}")?;
                    self.frames = Some([self.frames.map_or(number, |frames| frames[0]), number]);
                }
            }
            samples.flush()?;
        }
        Ok(())
    }
}

/// Samples of a surface's attributes, in the order of [`Layer::scene`].
fn surface(mesh: &Mesh, with_speed: bool) -> Vec<String> {
    let normals: Vec<_> = mesh.unit_normals().collect();
    let mut samples = vec![
        tuples(&corners(&mesh.position)),
        list(&vec![3; mesh.triangles.len()]),
        list(mesh.triangles.as_flattened()),
        rounded(&normals, 3),
        tuples(&mesh.position),
        rounded(mesh.velocity.as_deref().unwrap_or_default(), 4),
    ];
    if with_speed {
        let (speeds, colors) = match mesh.colors() {
            Some((speeds, color)) => {
                let linear = |speed: &f32| color(*speed).map(crate::meshes::linear);
                (speeds, speeds.iter().map(linear).collect())
            }
            None => (&[][..], Vec::new()),
        };
        samples.extend([list(speeds), tuples(&colors)]);
    }
    samples
}

/// Size in m of patches of foam, `foam.size`.
fn foam_size(scene: &Scene) -> f64 {
    scene.settings.get("foam.size").and_then(Value::number).unwrap_or_else(|| scene.spacing())
}

/// Diameter of a ball of foam in sizes, as pictures have drops and bubbles. What floats are soft patches there, twice as wide.
fn width(kind: FoamKind) -> f64 {
    match kind {
        FoamKind::Spray => 0.44,
        FoamKind::Foam => 0.5,
        FoamKind::Bubble => 0.28,
    }
}

/// Samples of foam's attributes, in the order of [`FOAM`].
fn particles(foam: &[FoamParticle], size: f64) -> [String; 6] {
    let places: Vec<_> = foam.iter().map(|one| one.position.map(|x| x as f32)).collect();
    let velocities: Vec<_> = foam.iter().map(|one| one.velocity).collect();
    let kind = |one: &FoamParticle| one.kind.number();
    [
        tuples(&corners(&places)),
        list(&foam.iter().map(|one| one.id).collect::<Vec<_>>()),
        tuples(&places),
        tuples(&velocities),
        list(&foam.iter().map(|one| (width(one.kind) * size) as f32).collect::<Vec<_>>()),
        list(&foam.iter().map(kind).collect::<Vec<_>>()),
    ]
}

/// Material of bodies and boundaries.
const SOLID: &str = "Solid";

/// Attributes of foam.
const FOAM: [&str; 6] = [
    "float3[] extent",
    "int64[] ids",
    "point3f[] points",
    "vector3f[] velocities",
    "float[] widths",
    "int[] primvars:kind",
];

/// An array of numbers.
fn list<T: ToString>(values: &[T]) -> String {
    let values: Vec<_> = values.iter().map(T::to_string).collect();
    format!("[{}]", values.join(","))
}

/// An array of vectors.
fn tuples(values: &[[f32; 3]]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(32 * values.len() + 2);
    text.push('[');
    for (i, [x, y, z]) in values.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        // Writing to a string does not fail.
        let _ = write!(text, "{comma}({x},{y},{z})");
    }
    text.push(']');
    text
}

/// An array of vectors with this many decimals: text of more would be half of the file.
fn rounded(values: &[[f32; 3]], decimals: i32) -> String {
    use std::fmt::Write;
    let scale = 10_f64.powi(decimals);
    let mut text = String::with_capacity(24 * values.len() + 2);
    text.push('[');
    for (i, vector) in values.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        // Zero without a sign.
        let [x, y, z] = vector.map(|x| (f64::from(x) * scale).round() / scale + 0.0);
        let _ = write!(text, "{comma}({x},{y},{z})");
    }
    text.push(']');
    text
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Parts of a layer as they are put together.
struct Layer {
    /// Folder for temporary files.
    folder: PathBuf,
    parts: Vec<Part>,
    /// Names in use.
    names: Vec<String>,
}

impl Layer {
    fn text(&mut self, text: impl AsRef<str>) {
        self.parts.push(Part::Text(text.as_ref().to_owned()));
    }

    fn samples(&mut self, attribute: &str) -> io::Result<()> {
        let file = tempfile::tempfile_in(&self.folder)?;
        self.parts.push(Part::Samples(attribute.to_owned(), file));
        Ok(())
    }

    /// A name that USD allows, unlike all before.
    fn name(&mut self, wish: &str) -> String {
        let mut name: String =
            wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.insert(0, '_');
        }
        let mut other = name.clone();
        for k in 2.. {
            if !self.names.contains(&other) {
                break;
            }
            other = format!("{name}_{k}");
        }
        self.names.push(other.clone());
        other
    }

    /// Adds everything but the samples; returns the boundaries that move.
    fn scene(
        &mut self,
        scene: &Scene,
        materials: &[u32],
        boundaries: Vec<(&Boundary, Mesh)>,
        with_speed: bool,
    ) -> io::Result<Vec<Moving>> {
        let fluid = |number: &u32| crate::boundaries::fluid_mesh(scene, *number, Mesh::default());
        let fluids: Vec<_> = materials.iter().map(fluid).collect();
        self.names.extend(["Materials".into(), SOLID.into()]);
        self.text("\ndef Xform \"World\"\n{\n");
        let mut names = Vec::new();
        for fluid in &fluids {
            names.push(self.fluid(fluid, with_speed)?);
        }
        for mesh in body_meshes(scene) {
            self.transform(&mesh, None, false)?;
        }
        let mut moving = Vec::new();
        for (boundary, mesh) in boundaries {
            // A tank would hide the water; as a guide it is there on demand.
            let is_tank = boundary.side == Side::Inside && !boundary.shape.is_sheet();
            let purpose = is_tank.then_some("guide");
            let motions = motions_of(boundary);
            if motions.is_empty() {
                self.mesh(&mesh, purpose);
                continue;
            }
            let middle = boundary.shape.middle();
            let mut own = mesh;
            for p in &mut own.position {
                *p = (glam::Vec3::from(*p).as_dvec3() - middle).as_vec3().to_array();
            }
            self.transform(&own, purpose, boundary.frames().is_some())?;
            let start = Pose { position: middle, rotation: DQuat::IDENTITY };
            moving.push(Moving { boundary: boundary.clone(), motions, start });
        }
        if Axis::Foam.is_on(scene) {
            let name = self.name("foam");
            self.text(format!(
                "def Points \"{name}\"\n{{\ncolor3f[] primvars:displayColor = [(0.9, 0.93, 0.95)]\n\
                 float[] widths (\n    interpolation = \"vertex\"\n)\n\
                 int[] primvars:kind (\n    interpolation = \"vertex\"\n)\n"
            ));
            for attribute in FOAM {
                self.samples(attribute)?;
            }
            self.text("}\n");
        }
        self.text("def Scope \"Materials\"\n{\n");
        for (fluid, name) in fluids.iter().zip(names) {
            let [red, green, blue] = fluid.linear_color();
            let [ior, roughness, opacity] = match fluid.glass {
                Some(glass) => [glass.ior, glass.roughness, glass.plain_opacity()],
                None => [1.33, 0.1, 1.0],
            };
            self.text(format!(
                "def Material \"{name}\"\n{{\n\
                 token outputs:surface.connect = </World/Materials/{name}/Shader.outputs:surface>\n\
                 def Shader \"Shader\"\n{{\nuniform token info:id = \"UsdPreviewSurface\"\n\
                 color3f inputs:diffuseColor = ({red},{green},{blue})\nfloat inputs:ior = {ior}\n\
                 float inputs:opacity = {opacity}\nfloat inputs:roughness = {roughness}\ntoken outputs:surface\n}}\n}}\n"
            ));
        }
        let [red, green, blue] = Mesh::default().named(SOLID, Some(GREY)).linear_color();
        self.text(format!(
            "def Material \"{SOLID}\"\n{{\n\
             token outputs:surface.connect = </World/Materials/{SOLID}/Shader.outputs:surface>\n\
             def Shader \"Shader\"\n{{\nuniform token info:id = \"UsdPreviewSurface\"\n\
             color3f inputs:diffuseColor = ({red},{green},{blue})\nfloat inputs:roughness = 0.4\n\
             token outputs:surface\n}}\n}}\n"
        ));
        self.text("}\n}\n");
        Ok(moving)
    }

    /// A surface with samples; returns its name.
    fn fluid(&mut self, fluid: &Mesh, with_speed: bool) -> io::Result<String> {
        let name = self.name(fluid.label());
        let glass = fluid.glass.map_or(String::new(), |glass| {
            let ([red, green, blue], distance) = glass.attenuation;
            format!(
                "custom float userProperties:transmission = {}\ncustom float userProperties:ior = {}\n\
                 custom color3f userProperties:attenuation_color = ({red},{green},{blue})\n\
                 custom float userProperties:attenuation_distance = {distance}\n",
                glass.transmission, glass.ior
            )
        });
        self.text(format!(
            "def Mesh \"{name}\" (\n    prepend apiSchemas = [\"MaterialBindingAPI\"]\n)\n{{\n\
             rel material:binding = </World/Materials/{name}>\nuniform token subdivisionScheme = \"none\"\n{glass}"
        ));
        for attribute in ["float3[] extent", "int[] faceVertexCounts", "int[] faceVertexIndices"] {
            self.samples(attribute)?;
        }
        self.text("normal3f[] normals (\n    interpolation = \"vertex\"\n)\n");
        for attribute in ["normal3f[] normals", "point3f[] points", "vector3f[] velocities"] {
            self.samples(attribute)?;
        }
        if with_speed {
            for attribute in ["float[] primvars:speed", "color3f[] primvars:displayColor"] {
                self.text(format!("{attribute} (\n    interpolation = \"vertex\"\n)\n"));
                self.samples(attribute)?;
            }
        } else {
            self.text(display_color(fluid));
        }
        self.text("}\n");
        Ok(name)
    }

    /// A solid that moves, and perhaps changes its shape.
    fn transform(&mut self, mesh: &Mesh, purpose: Option<&str>, deforms: bool) -> io::Result<()> {
        let solid = self.solid(mesh, purpose, deforms);
        self.text(solid);
        if deforms {
            self.samples("float3[] extent")?;
            self.samples("point3f[] points")?;
        }
        self.samples("double3 xformOp:translate")?;
        self.samples("quatf xformOp:orient")?;
        self.text(
            "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n}\n",
        );
        Ok(())
    }

    /// A solid at rest.
    fn mesh(&mut self, mesh: &Mesh, purpose: Option<&str>) {
        let solid = self.solid(mesh, purpose, false);
        self.text(solid + "}\n");
    }

    /// The beginning of a mesh whose triangles stay, and its points unless it deforms.
    fn solid(&mut self, mesh: &Mesh, purpose: Option<&str>, deforms: bool) -> String {
        let (name, samples) = (self.name(mesh.label()), surface(mesh, false));
        let purpose = purpose
            .map_or(String::new(), |purpose| format!("uniform token purpose = \"{purpose}\"\n"));
        let points = match deforms {
            true => String::new(),
            false => {
                format!("float3[] extent = {}\npoint3f[] points = {}\n", samples[0], samples[4])
            }
        };
        format!(
            "def Mesh \"{name}\" (\n    prepend apiSchemas = [\"MaterialBindingAPI\"]\n)\n{{\n\
             rel material:binding = </World/Materials/{SOLID}>\n{purpose}\
             uniform token subdivisionScheme = \"none\"\n\
             int[] faceVertexCounts = {}\nint[] faceVertexIndices = {}\n{points}{}",
            samples[1],
            samples[2],
            display_color(mesh),
        )
    }
}

/// Motions of a boundary, its constant velocity first.
fn motions_of(boundary: &Boundary) -> Vec<Motion> {
    let velocity = boundary.velocity;
    let constant = (velocity != [0.0; 3]).then_some(Motion::Translate { velocity });
    constant.into_iter().chain(boundary.motion.iter().cloned()).collect()
}

fn display_color(mesh: &Mesh) -> String {
    format!("color3f[] primvars:displayColor = {}\n", tuples(&[mesh.linear_color()]))
}
