//! Frames that a run has left as files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use glam::{Vec2, Vec3};
use meniscus::{
    Gpu, Quantity, Scene, Shown, ShownFoam, ShownParticle, Simulation, methods::quantity::Form,
};
use meniscus_formats::{
    KEPT_SCENE, Mesh, MeshFormat, ParticleFormat, ParticleTable, SCENES, read_bodies, read_meshes,
    read_particles,
};
use meniscus_render::MeshBuffers;

use crate::{Failure, files, terminal};

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Particles(ParticleFormat),
    Surface(MeshFormat),
}

impl Kind {
    fn file_name(self, frame: u32) -> String {
        match self {
            Self::Particles(format) => format.file_name(frame),
            Self::Surface(format) => format.file_name(frame),
        }
    }

    /// All kinds.
    fn all() -> impl Iterator<Item = Self> {
        let particles = ParticleFormat::ALL.iter().map(|format| Self::Particles(*format));
        particles.chain(MeshFormat::ALL.iter().map(|format| Self::Surface(*format)))
    }
}

/// Files of a run.
#[derive(Debug)]
pub(super) struct Stored {
    folder: PathBuf,
    kind: Kind,
    /// Numbers of the first frame and of the last.
    pub(super) ends: [u32; 2],
    foam: Option<ParticleFormat>,
    /// Extension of files with the places of bodies.
    bodies: Option<&'static str>,
}

/// Number of the frame of a file whose name is that of frame 0, `NAME_00000.EXTENSION`, with another number.
fn number(name: &str, first: &str) -> Option<u32> {
    let (begin, end) = first.split_once("00000")?;
    let digits = name.strip_prefix(begin)?.strip_suffix(end)?;
    let is_number = digits.len() >= 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

impl Stored {
    /// The folder that a name stands for, and the file whose kind is to be drawn: a folder, unless it has the name of a bundled
    /// scene, or a file of a frame in it.
    pub(super) fn place(source: &str) -> Option<(PathBuf, Option<String>)> {
        let path = Path::new(source);
        if path.is_dir() {
            let is_scene = SCENES.iter().any(|scene| scene.name == source);
            return (!is_scene).then(|| (path.to_owned(), None));
        }
        let name = path.file_name()?.to_str()?.to_owned();
        Kind::all().find(|kind| number(&name, &kind.file_name(0)).is_some())?;
        Some((path.parent().unwrap_or(Path::new("")).to_owned(), Some(name)))
    }

    /// Scene file of a folder.
    pub(super) fn scene(folder: &Path) -> Result<String, Failure> {
        let found = [KEPT_SCENE, "scene.toml"].map(|name| folder.join(name));
        let found = found.iter().find(|path| path.is_file());
        found.map(|path| path.display().to_string()).ok_or_else(|| {
            Failure::Input(format!(
                "{}: expected the scene of its run, {KEPT_SCENE}, which `meniscus run` leaves beside its files; --scene \
                 names another",
                folder.display()
            ))
        })
    }

    /// Looks for files in a folder: particles if it has some, whose surface can be drawn in all ways, or else surfaces. `named`
    /// is a file of the kind to draw.
    pub(super) fn open(folder: &Path, named: Option<&str>) -> Result<Self, Failure> {
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        let entries =
            fs::read_dir(folder).map_err(|error| files::cannot("read", folder, &error))?;
        let names: Vec<String> = entries
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        let of = |first: &str| -> BTreeSet<u32> {
            names.iter().filter_map(|name| number(name, first)).collect()
        };
        let is_wanted =
            |kind: &Kind| named.is_none_or(|name| number(name, &kind.file_name(0)).is_some());
        let all = Kind::all().filter(is_wanted).map(|kind| (kind, of(&kind.file_name(0))));
        let all: Vec<_> = all.filter(|(_, frames)| !frames.is_empty()).collect();
        let is_surface = |kind: &Kind| matches!(kind, Kind::Surface(_));
        let surfaces = all.iter().all(|(kind, _)| is_surface(kind));
        let chosen: Vec<_> = all.iter().filter(|(kind, _)| is_surface(kind) == surfaces).collect();
        let [(kind, frames)] = chosen[..] else {
            let place = folder.display();
            return Err(Failure::Input(if chosen.is_empty() {
                format!(
                    "{place}: expected files of a run, particles_00000.vtp or surface_00000.glb and so on, and found none"
                )
            } else {
                let each = chosen.iter().map(|(kind, frames)| {
                    format!("{} files as {}", frames.len(), kind.file_name(0))
                });
                let one = folder.join(chosen[0].0.file_name(0));
                format!(
                    "{place}: expected frames in one format, found {}; name a file to choose, as {}",
                    each.collect::<Vec<_>>().join(" and "),
                    one.display()
                )
            }));
        };
        let ends = [frames.first(), frames.last()].map(|end| end.copied().unwrap_or(0));
        if let Some(missing) = (ends[0]..ends[1]).find(|frame| !frames.contains(frame)) {
            return Err(Failure::Input(format!(
                "{}: this frame is missing; the folder has frames up to {}",
                folder.join(kind.file_name(missing)).display(),
                ends[1]
            )));
        }
        let foam = ParticleFormat::ALL.iter().copied();
        let foam = foam.clone().find(|format| !of(&format.foam_file_name(0)).is_empty());
        let bodies = ["csv", "json"].into_iter();
        let bodies = bodies.clone().find(|end| !of(&format!("bodies_00000.{end}")).is_empty());
        Ok(Self { folder: folder.to_owned(), kind: *kind, ends, foam, bodies })
    }

    /// What is drawn, in words.
    pub(super) fn about(&self) -> String {
        let [first, last] = self.ends.map(|frame| self.kind.file_name(frame));
        format!("{} to {last}", self.folder.join(first).display())
    }

    /// Whether surfaces are drawn as they are in the files.
    pub(super) fn has_surfaces(&self) -> bool {
        matches!(self.kind, Kind::Surface(_))
    }

    /// Warns of what these files do not have.
    pub(super) fn warn(&self, scene: &Scene) {
        if !scene.bodies.is_empty() && self.bodies.is_none() {
            let text = "the bodies are drawn where the scene has them at the start: `meniscus run --bodies csv` leaves \
                        their places";
            terminal::complain("warning", text);
        }
        let is_merged = matches!(self.kind, Kind::Surface(MeshFormat::Ply | MeshFormat::Vtk));
        if is_merged && scene.materials.len() > 1 {
            let text = "these files have the surfaces of all materials in one, which is drawn as the first; glb and obj \
                        tell them apart";
            terminal::complain("warning", text);
        }
    }

    /// Puts a frame into the simulation; returns its surfaces, of files with such.
    pub(super) fn show(
        &self,
        frame: u32,
        color: &Quantity,
        gpu: &Gpu,
        scene: &Scene,
        simulation: &mut Simulation,
    ) -> Result<Option<Vec<MeshBuffers>>, Failure> {
        let path = self.folder.join(self.kind.file_name(frame));
        let mut shown = Shown { frame, ..Shown::default() };
        let mut surfaces = None;
        match self.kind {
            Kind::Particles(format) => {
                let table = read_particles(&path, format)?;
                shown.particles = particles(&table, &path, scene)?;
                let own = ["speed", "density", "density_error", "id", "material"];
                if !own.contains(&color.name) {
                    let found = table.column(color.name).filter(|_| color.form == Form::Number);
                    let values = found.ok_or_else(|| {
                        let has: Vec<_> = table.columns.iter().map(|(name, _)| &name[..]).collect();
                        Failure::Input(format!(
                            "--color {}: {} has {}; `meniscus run --particle-quantities {}` adds it",
                            color.name,
                            path.display(),
                            has.join(", "),
                            color.name
                        ))
                    })?;
                    shown.colors = Some((*color, values.to_vec()));
                }
            }
            Kind::Surface(format) => {
                let meshes = read_meshes(&path, format)?;
                let named = |mesh: &Mesh| {
                    scene.materials.iter().position(|material| material.name == mesh.name)
                };
                let mut uploaded = Vec::new();
                for mesh in &meshes {
                    let material = named(mesh).unwrap_or(0) as u32;
                    shown.particles.extend(filled(mesh, scene.spacing() as f32, material));
                    let center = simulation.setup().center;
                    let vectors = [&mesh.position[..], &mesh.normal[..]];
                    let buffers =
                        MeshBuffers::upload(gpu, vectors, &mesh.triangles, center, material);
                    uploaded.push(buffers);
                }
                surfaces = Some(uploaded);
            }
        }
        if let Some(format) = self.foam.filter(|_| simulation.setup().foam > 0) {
            let path = self.folder.join(format.foam_file_name(frame));
            shown.foam = foam(&read_particles(&path, format)?, &path)?;
        }
        if let Some(end) = self.bodies {
            shown.bodies = read_bodies(&self.folder.join(format!("bodies_{frame:05}.{end}")))?;
        }
        simulation.show(&shown)?;
        Ok(surfaces)
    }
}

/// A column that must be there.
fn column<'a>(table: &'a ParticleTable, name: &str, path: &Path) -> Result<&'a [f32], Failure> {
    let found = table.column(name);
    found.ok_or_else(|| Failure::Input(format!("{}: expected a column {name}", path.display())))
}

/// Positions and velocities.
fn motion(table: &ParticleTable, path: &Path) -> Result<Vec<[[f32; 3]; 2]>, Failure> {
    let mut all = vec![[[0.0; 3]; 2]; table.ids.len()];
    for (k, names) in [["x", "y", "z"], ["vx", "vy", "vz"]].into_iter().enumerate() {
        for (axis, name) in names.into_iter().enumerate() {
            let values = column(table, name, path)?;
            all.iter_mut().zip(values).for_each(|(one, value)| one[k][axis] = *value);
        }
    }
    Ok(all)
}

fn particles(
    table: &ParticleTable,
    path: &Path,
    scene: &Scene,
) -> Result<Vec<ShownParticle>, Failure> {
    let (density, material) = (table.column("density"), table.column("material"));
    if let Some(number) =
        material.into_iter().flatten().find(|number| **number as usize >= scene.materials.len())
    {
        return Err(Failure::Input(format!(
            "{}: it has particles of material {number}, the scene has materials 0 to {}; is it the scene of this run?",
            path.display(),
            scene.materials.len().saturating_sub(1)
        )));
    }
    let all = motion(table, path)?.into_iter().enumerate();
    Ok(all
        .map(|(i, [position, velocity])| ShownParticle {
            id: table.ids[i],
            position,
            velocity,
            density: density.map(|density| density[i]),
            material: material.map_or(0, |material| material[i] as u32),
        })
        .collect())
}

fn foam(table: &ParticleTable, path: &Path) -> Result<Vec<ShownFoam>, Failure> {
    let (kind, age) = (column(table, "kind", path)?, column(table, "age", path)?);
    let all = motion(table, path)?.into_iter().enumerate();
    Ok(all
        .map(|(i, [position, velocity])| ShownFoam {
            id: table.ids[i],
            position,
            velocity,
            kind: kind[i] as u32,
            age: age[i],
        })
        .collect())
}

/// Particles on a lattice inside a closed mesh, for the shadow that it throws: between each two places where a column meets it.
fn filled(mesh: &Mesh, spacing: f32, material: u32) -> Vec<ShownParticle> {
    let mut columns: BTreeMap<[i32; 2], Vec<f32>> = BTreeMap::new();
    for corners in &mesh.triangles {
        let [a, b, c] = corners.map(|i| Vec3::from(mesh.position[i as usize]) / spacing);
        let flat = [a, b, c].map(|p| Vec2::new(p.x, p.z));
        let area = (flat[1] - flat[0]).perp_dot(flat[2] - flat[0]);
        if area == 0.0 {
            continue;
        }
        let low = flat[0].min(flat[1]).min(flat[2]).ceil().as_ivec2();
        let high = flat[0].max(flat[1]).max(flat[2]).floor().as_ivec2();
        for x in low.x..=high.x {
            for z in low.y..=high.y {
                let p = Vec2::new(x as f32, z as f32);
                let share = |k: usize| {
                    let (from, to) = (flat[(k + 1) % 3], flat[(k + 2) % 3]);
                    (to - from).perp_dot(p - from) / area
                };
                let shares = Vec3::new(share(0), share(1), share(2));
                if shares.min_element() >= 0.0 {
                    columns.entry([x, z]).or_default().push(shares.dot(Vec3::new(a.y, b.y, c.y)));
                }
            }
        }
    }
    let mut particles = Vec::new();
    for ([x, z], mut heights) in columns {
        heights.sort_by(f32::total_cmp);
        // An edge between two triangles is met twice.
        heights.dedup_by(|a, b| (*a - *b).abs() < 1e-4);
        for [low, high] in heights.as_chunks::<2>().0 {
            for y in low.ceil() as i32..=high.floor() as i32 {
                let position = [x, y, z].map(|k| k as f32 * spacing);
                let id = particles.len() as u32;
                particles.push(ShownParticle { id, position, material, ..Default::default() });
            }
        }
    }
    particles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_is_filled_to_its_volume() {
        // An octahedron of half width 1, whose volume is 4/3.
        let position = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]];
        let position = [&position[..], &[[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]].concat();
        let position: Vec<[f32; 3]> =
            position.into_iter().map(|[x, y, z]: [f32; 3]| [x + 0.013, y, z + 0.017]).collect();
        let mut triangles = Vec::new();
        for x in [0, 1] {
            for y in [2, 3] {
                triangles.extend([4, 5].map(|z| [x, y, z]));
            }
        }
        let mesh = Mesh::new(position, Vec::new(), triangles);
        let volume = filled(&mesh, 0.05, 0).len() as f32 * 0.05_f32.powi(3);
        assert!((volume - 4.0 / 3.0).abs() < 0.03 * 4.0 / 3.0, "{volume}");
    }

    #[test]
    fn names_of_frames_have_five_digits_or_more() {
        assert_eq!(number("surface_00012.glb", "surface_00000.glb"), Some(12));
        assert_eq!(number("surface_123456.glb", "surface_00000.glb"), Some(123_456));
        for name in ["surface_12.glb", "surface_0001x.glb", "surface_00012.ply", "a"] {
            assert_eq!(number(name, "surface_00000.glb"), None, "{name}");
        }
    }
}
