//! Writer of animated USD (`.usda`): one layer with time samples of the fluid's surface and of the bodies' poses, which
//! Blender, Houdini and Omniverse import. Motion blur comes from the velocities. (Alembic needs a C++ library and is
//! not written: these programs convert USD to it.)

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use glam::{DMat4, DQuat, DVec3};
use meniscus_model::{BodyReport, Scene};

use crate::boundaries::body_meshes;
use crate::error::Error;
use crate::meshes::Mesh;
use crate::write::write_whole;

/// Attributes of the surface that change with time: type and name.
const ATTRIBUTES: [(&str, &str); 5] = [
    ("int[]", "faceVertexCounts"),
    ("int[]", "faceVertexIndices"),
    ("point3f[]", "points"),
    ("normal3f[]", "normals"),
    ("vector3f[]", "velocities"),
];

/// Colour of water in linear RGB, if the material has none.
const WATER: [f64; 3] = [0.1, 0.36, 0.5];

/// An animation on its way to a file. Its samples are in temporary files until it is finished.
#[derive(Debug)]
pub struct Usd {
    path: PathBuf,
    samples: Vec<BufWriter<File>>,
    /// Frame and poses of the bodies, of each sample.
    poses: Vec<(u32, Vec<BodyReport>)>,
    scene: Scene,
}

impl Usd {
    /// Starts an animation of a scene.
    ///
    /// # Errors
    /// [`Error::Write`] if there is no room for temporary files.
    pub fn start(path: &Path, scene: &Scene) -> Result<Self, Error> {
        let file = || tempfile::tempfile().map(BufWriter::new);
        let samples: io::Result<_> = ATTRIBUTES.iter().map(|_| file()).collect();
        let samples = samples.map_err(|source| failed(path, source))?;
        Ok(Self { path: path.to_owned(), samples, poses: Vec::new(), scene: scene.clone() })
    }

    /// Adds the surface at the end of a frame, with the velocity in m/s of each vertex, and the bodies.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn add(
        &mut self,
        frame: u32,
        surface: &Mesh,
        velocity: &[[f32; 3]],
        bodies: Vec<BodyReport>,
    ) -> Result<(), Error> {
        self.poses.push((frame, bodies));
        self.write(frame, surface, velocity).map_err(|source| failed(&self.path, source))
    }

    fn write(&mut self, frame: u32, mesh: &Mesh, velocity: &[[f32; 3]]) -> io::Result<()> {
        let vector = |[x, y, z]: [f32; 3]| format!("({x}, {y}, {z})");
        let normals = (0..mesh.position.len()).map(|vertex| mesh.unit_normal(vertex));
        let [counts, indices, points, normal, velocities] = &mut self.samples[..] else {
            return Ok(());
        };
        sample(counts, frame, mesh.triangles.iter().map(|_| 3))?;
        sample(indices, frame, mesh.triangles.iter().flatten())?;
        sample(points, frame, mesh.position.iter().copied().map(vector))?;
        sample(normal, frame, normals.map(vector))?;
        sample(velocities, frame, velocity.iter().copied().map(vector))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn finish(mut self) -> Result<(), Error> {
        let path = std::mem::take(&mut self.path);
        write_whole(&path, |writer| self.write_layer(writer))
    }

    fn write_layer(&mut self, writer: &mut dyn Write) -> io::Result<()> {
        let fps = self.scene.time.fps;
        let frames = || self.poses.iter().map(|(frame, _)| *frame);
        let (start, end) = (frames().min().unwrap_or(0), frames().max().unwrap_or(0));
        let [_, gy, gz] = self.scene.gravity.map(f64::abs);
        let up = if gz > gy { "Z" } else { "Y" };
        writeln!(writer, "#usda 1.0\n(\n    defaultPrim = \"scene\"\n    metersPerUnit = 1")?;
        writeln!(
            writer,
            "    upAxis = \"{up}\"\n    startTimeCode = {start}\n    endTimeCode = {end}"
        )?;
        writeln!(writer, "    timeCodesPerSecond = {fps}\n    framesPerSecond = {fps}\n)\n")?;
        writeln!(writer, "def Xform \"scene\"\n{{\n    def Mesh \"fluid\"\n    {{")?;
        writeln!(writer, "        uniform token subdivisionScheme = \"none\"")?;
        let color = self.scene.materials.first().and_then(|material| material.color);
        let color = color.map_or(WATER, |color| color.map(meniscus_model::scene::to_linear));
        write_color(writer, color)?;
        for ((kind, name), file) in ATTRIBUTES.iter().zip(&mut self.samples) {
            writeln!(writer, "        {kind} {name}.timeSamples = {{")?;
            file.flush()?;
            let file = file.get_mut();
            file.seek(SeekFrom::Start(0))?;
            io::copy(file, writer)?;
            writeln!(writer, "        }}")?;
        }
        writeln!(writer, "    }}")?;
        for (number, mesh) in body_meshes(&self.scene).iter().enumerate() {
            self.write_body(writer, number, mesh)?;
        }
        writeln!(writer, "}}")
    }

    fn write_body(&self, writer: &mut dyn Write, number: usize, mesh: &Mesh) -> io::Result<()> {
        let name = self.scene.bodies[number].name.as_deref().unwrap_or_default();
        writeln!(writer, "\n    def Mesh \"{}\"\n    {{", identifier(name, number))?;
        writeln!(writer, "        uniform token subdivisionScheme = \"none\"")?;
        write_color(writer, [0.4, 0.33, 0.25])?;
        let list = |items: Vec<String>| items.join(", ");
        let counts = list(mesh.triangles.iter().map(|_| "3".to_owned()).collect());
        let indices = list(mesh.triangles.iter().flatten().map(ToString::to_string).collect());
        let point = |[x, y, z]: &[f32; 3]| format!("({x}, {y}, {z})");
        let points = list(mesh.position.iter().map(point).collect());
        writeln!(writer, "        int[] faceVertexCounts = [{counts}]")?;
        writeln!(writer, "        int[] faceVertexIndices = [{indices}]")?;
        writeln!(writer, "        point3f[] points = [{points}]")?;
        writeln!(writer, "        matrix4d xformOp:transform.timeSamples = {{")?;
        for (frame, bodies) in &self.poses {
            let Some(body) = bodies.get(number) else { continue };
            let turn = DQuat::from_array(body.rotation).normalize();
            let pose = DMat4::from_rotation_translation(turn, DVec3::from(body.position));
            // USD's vectors are rows: its rows are our columns.
            let rows = pose.to_cols_array_2d().map(|[x, y, z, w]| format!("({x}, {y}, {z}, {w})"));
            writeln!(writer, "            {frame}: ( {} ),", rows.join(", "))?;
        }
        writeln!(writer, "        }}")?;
        writeln!(writer, "        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }}")
    }
}

fn write_color(writer: &mut dyn Write, [r, g, b]: [f64; 3]) -> io::Result<()> {
    writeln!(writer, "        color3f[] primvars:displayColor = [({r}, {g}, {b})]")
}

/// Writes a list as a sample of a frame.
fn sample(
    writer: &mut dyn Write,
    frame: u32,
    items: impl Iterator<Item = impl Display>,
) -> io::Result<()> {
    write!(writer, "            {frame}: [")?;
    for (k, item) in items.enumerate() {
        write!(writer, "{}{item}", if k == 0 { "" } else { ", " })?;
    }
    writeln!(writer, "],")
}

/// A name as USD allows it: letters, digits and underscores, and a number where there is none.
fn identifier(name: &str, number: usize) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(allowed).collect();
    format!("body_{}{}{name}", number + 1, if name.is_empty() { "" } else { "_" })
}

fn failed(path: &Path, source: io::Error) -> Error {
    Error::Write { path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_frames_are_samples_of_one_layer() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.usda");
        let mut scene = Scene::new(0.05);
        let text = "name = 'a crate'\ndensity = 500.0\nshape.box = { min = [0.0, 0.0, 0.0], max = [0.2, 0.2, 0.2] }";
        scene.bodies = vec![toml::from_str(text).expect("a body")];
        let mesh = |x: f32| {
            let position = vec![[x, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
            Mesh::new(position, vec![[0.0, 0.0, 1.0]; 3], vec![[0, 1, 2]])
        };
        let pose = |y| BodyReport {
            position: [0.0, y, 0.0],
            rotation: [0.0, 0.0, 0.0, 1.0],
            ..BodyReport::default()
        };
        let mut usd = Usd::start(&path, &scene).expect("started");
        usd.add(0, &mesh(0.0), &[[0.0, -1.0, 0.0]; 3], vec![pose(1.0)]).expect("added");
        usd.add(1, &mesh(0.5), &[[0.0, -2.0, 0.0]; 3], vec![pose(0.75)]).expect("added");
        assert!(!path.exists(), "nothing is half written");
        usd.finish().expect("written");
        let text = std::fs::read_to_string(&path).expect("a file");
        for part in [
            "#usda 1.0",
            "endTimeCode = 1",
            "1: [(0.5, 0, 0), (1, 0, 0), (0, 1, 0)],",
            "1: [(0, -2, 0), (0, -2, 0), (0, -2, 0)],",
            "def Mesh \"body_1_a_crate\"",
            "1: ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0.75, 0, 1) ),",
        ] {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
