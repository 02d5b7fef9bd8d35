//! The scenes of `tests/scenes/`, in which every pass is compared with the reference.
//!
//! A scene begins with lines `#: KEY = VALUE` that say how it is run and what it is there for:
//!
//! ```toml
//! #: steps = 4                                  # after the first pass over the pipeline
//! #: solvers = ["wcsph"]                        # by default all
//! #: changes = 2                                # after this step a program asks for fluid at points, adds and removes some
//! #: surface = true                             # meshes, splats and a query after the last step
//! #: reaches = ["emission in step 3", "removal"]
//! ```
//!
//! What `reaches` names is checked by [`Case::run`], in every step or in the one named.

use std::{fs, io, path::PathBuf};

use glam::DVec3;
use meniscus::methods::lists::surface::SurfaceOptions;
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_methods::{
    Registry,
    foam::{
        FOAM_BORN, FOAM_BUBBLE, FOAM_COUNT, FOAM_DIED, FOAM_FOAM, FOAM_SHARE, FOAM_SPRAY,
        FOAM_STEPS,
    },
    sph,
};
use meniscus_model::{Params, Scene, params::KIND_FLUID};
use meniscus_reference::{Twins, World};
use serde::Deserialize;

use crate::{
    compare::Stop,
    course::{Course, See},
};

/// A scene with what is said about it.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "tests read it")]
pub struct Case {
    /// Name of the file without extension.
    pub name: String,
    /// The scene.
    pub scene: Scene,
    /// What the scene file's first lines say.
    pub head: Head,
}

/// The first lines of a scene.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "tests read it")]
pub struct Head {
    /// Steps after the first pass over the pipeline, whose step has no length.
    pub steps: u32,
    /// Solvers with which it is run; all of SPH if there are none.
    #[serde(default)]
    pub solvers: Vec<String>,
    /// Whether meshes, splats and the fluid at points are computed after the last step, with the first solver.
    #[serde(default)]
    pub surface: bool,
    /// Step after which a program asks for the fluid at points, adds and removes some.
    #[serde(default)]
    pub changes: Option<u32>,
    /// Flags of the failure with which it ends.
    #[serde(default)]
    pub failure: u32,
    /// What it is there for: names of [`REACHED`], perhaps with ` in step N`.
    pub reaches: Vec<String>,
}

/// A step of a scene.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs, reason = "conditions read it")]
pub struct Step<'a> {
    /// The world before it.
    pub before: &'a World,
    /// The world after it.
    pub after: &'a World,
}

/// Whether something that a scene is there for happens in a step.
pub type Condition = fn(&Step<'_>) -> bool;

/// Word of the state of the foam.
fn foam(world: &World, word: u32) -> u32 {
    world.words("foam_state")[word as usize]
}

/// Everything that a scene can be there for, beside the passes that it runs.
pub const REACHED: &[(&str, Condition)] = &[
    ("emission", |step| step.after.control.next_id > step.before.control.next_id),
    ("removal", |step| {
        let emitted = step.after.control.next_id - step.before.control.next_id;
        step.after.control.particle_count < step.before.control.particle_count + emitted
    }),
    ("fluid is added and removed", |step| {
        let added = step.after.control.next_id - step.before.control.next_id;
        let [before, after] = [step.before, step.after].map(|world| world.control.particle_count);
        added > 0 && after < before + added
    }),
    ("room for particles grows", |step| {
        step.after.params.counts.capacity > step.before.params.counts.capacity
    }),
    ("room for neighbours grows", |step| {
        step.after.neighbours.len() > step.before.neighbours.len()
    }),
    ("no particle", |step| step.before.control.particle_count == 0),
    ("one particle", |step| step.before.control.particle_count == 1),
    ("a full workgroup and one more", |step| step.before.control.particle_count == 65),
    ("more than 4096 particles", |step| step.before.control.particle_count > 4096),
    ("an empty cell", |step| {
        let world = step.after;
        let cells = world.params.grid.cell_count as usize;
        world.cell_start[..cells].windows(2).any(|pair| pair[0] == pair[1])
    }),
    ("three cells along an axis", |step| step.after.params.grid.size.to_array().contains(&3)),
    ("a pair across a seam", |step| {
        let period = step.after.params.grid.period.as_dvec3();
        pairs(step.after).any(|(a, b)| {
            let across = (a - b).abs();
            (0..3).any(|axis| period[axis] > 0.0 && across[axis] > 0.5 * period[axis])
        })
    }),
    ("a pair in one place", |step| pairs(step.after).any(|(a, b)| a == b)),
    ("a particle outside the domain", |step| {
        let grid = &step.after.params.grid;
        let size = (grid.size.as_vec3() / grid.inverse_cell).as_dvec3();
        let low = grid.origin.as_dvec3();
        places(step.after).any(|x| (0..2).any(|k| x[k] < low[k] || x[k] > low[k] + size[k]))
    }),
    ("two fluids touch", |step| {
        let world = step.after;
        let live = world.control.particle_count as usize;
        let place = |i: usize| DVec3::from_slice(&world.sorted_position[i][..3]);
        let h = f64::from(world.params.kernel.support_radius);
        let material = |i: &usize| world.sorted_identity[*i][1] >> 8 & 255;
        let fluid = |i: &usize| world.sorted_identity[*i][1] & 255 == KIND_FLUID;
        let (first, second): (Vec<_>, Vec<_>) =
            (0..live).filter(fluid).partition(|i| material(i) == 0);
        first.iter().any(|i| second.iter().any(|j| place(*i).distance(place(*j)) < h))
    }),
    ("births of foam", |step| foam(step.after, FOAM_BORN) > foam(step.before, FOAM_BORN)),
    ("deaths of foam", |step| foam(step.after, FOAM_DIED) > foam(step.before, FOAM_DIED)),
    ("births of foam are thinned", |step| {
        foam(step.after, FOAM_SHARE) < 1024 && foam(step.after, FOAM_BORN) > 0
    }),
    ("a step without foam", |step| foam(step.after, FOAM_STEPS) > 0),
    ("spray, foam and bubbles", |step| {
        let count = foam(step.after, FOAM_COUNT) as usize;
        let kinds = step.after.words("foam_identity").chunks(2).take(count).map(|who| who[1]);
        [FOAM_SPRAY, FOAM_FOAM, FOAM_BUBBLE]
            .iter()
            .all(|kind| kinds.clone().any(|own| own == *kind))
    }),
    ("each class of the surface", |step| {
        let class = step.after.words("tension_class");
        let live = step.after.control.particle_count as usize;
        [0, 2, 3].iter().all(|wanted| class[..live].contains(wanted))
    }),
    ("a covered candidate", |step| {
        let normals = step.after.floats("tension_normal").chunks(4);
        normals.zip(step.after.words("tension_class")).any(|(n, class)| *class == 0 && n[0] != 0.0)
    }),
    ("each distance from the surface", |step| {
        let h = f64::from(step.after.params.kernel.support_radius);
        let share = |gradient: &[f64]| gradient[3] / h;
        let all = step.after.floats("tension_gradient").chunks(4).map(share);
        let ranges = [0.0..0.0, 1e-6..0.5, 0.5..0.9999, 0.9999..1.0001];
        ranges.iter().all(|range| all.clone().any(|d| range.contains(&d) || d == range.start))
    }),
    ("nodes full, empty and between", |step| {
        let words = step.after.words("levelset_empty").iter();
        let shares: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        [0, 255].iter().all(|share| shares.contains(share))
            && shares.iter().any(|x| (1..255).contains(x))
    }),
    ("a kernel that is not full", |step| {
        let live = step.after.control.particle_count as usize;
        step.after.floats("tension_fill").chunks(2).take(live).any(|fill| fill[0] < 0.9)
    }),
    ("a wall without particles", |step| {
        let world = step.after;
        let first = world.params.counts.capacity as usize;
        world.sorted_position[first..].iter().any(|wall| wall[3] < -1e-6)
    }),
    ("smoke", |step| step.after.floats("smoke").chunks(4).any(|cell| cell[0] > 0.5)),
    ("a source ends", |step| {
        let time = |world: &World| {
            let frames = f64::from(world.control.frame.max(1) - 1);
            frames * f64::from(world.params.time.frame_duration)
                + f64::from(world.control.time_in_frame)
        };
        let ends = step.after.floats("source_values").chunks(20).map(|source| source[9]);
        ends.into_iter().any(|end| time(step.before) < end && time(step.after) >= end)
    }),
    ("a source moves", |step| {
        let moves =
            |source: &[f64]| source[12..15].iter().chain(&source[16..19]).any(|x| *x != 0.0);
        step.after.floats("source_values").chunks(20).any(moves)
    }),
    ("a particle leaves the box", |step| step.after.control.left > step.before.control.left),
    ("snow yields", |step| plastic(step.after, "snow").any(|j_p| j_p != 0.0)),
    ("sand yields", |step| plastic(step.after, "sand").any(|q| q > 0.0)),
    ("bodies touch", |step| step.after.manifolds.iter().any(|one| one[2] > 0)),
    ("a contact goes on", |step| {
        step.before.contacts.iter().any(|one| one[7] > 0.0 && one[11] > 0.0)
    }),
    ("a joint holds", |step| step.after.joints.iter().any(|one| one[28..31] != [0.0; 3])),
    ("a limit holds", |step| step.after.joints.iter().any(|one| one[0] < 4.0 && one[36] != 0.0)),
    ("a motor drives", |step| step.after.joints.iter().any(|one| one[37] != 0.0)),
    ("a spring pulls", |step| step.after.joints.iter().any(|one| one[38] != 0.0)),
    ("a mooring lies", |step| step.after.joints.iter().any(|one| one[0] == 5.0 && one[36] == 0.0)),
    ("a mooring is taut", |step| {
        step.after.joints.iter().any(|one| one[0] == 5.0 && one[36] != 0.0)
    }),
    ("a frame ends", |step| step.after.control.frame_done == 1),
    ("a frame goes on", |step| step.after.control.frame_done == 0),
    ("a loop runs out", |step| step.after.control.loops.iter().any(|one| one.exhausted > 0)),
    ("a loop converges", |step| {
        let loops = &step.after.control.loops;
        loops.iter().any(|one| one.iterations > 0 && one.exhausted == 0)
    }),
];

/// Slots of live particles of a model of the material point method.
fn of_model<'a>(world: &'a World, model: &str) -> impl Iterator<Item = usize> + use<'a> {
    let models = world.methods.models();
    let number = models.iter().position(|one| one.name == model).map(|at| at as u32);
    let material = |i: usize| world.params.materials[(world.identity[i][1] >> 8 & 255) as usize];
    (0..world.control.particle_count as usize).filter(move |i| Some(material(*i).model) == number)
}

/// First plastic state of the particles of a model.
fn plastic<'a>(world: &'a World, model: &str) -> impl Iterator<Item = f64> + use<'a> {
    of_model(world, model).map(|i| world.floats("deformation")[12 * i + 3])
}

/// Places of live particles in m.
fn places(world: &World) -> impl Iterator<Item = DVec3> + '_ {
    let live = world.control.particle_count as usize;
    world.position[..live].iter().map(|x| DVec3::from_slice(&x[..3]))
}

/// Places of all pairs that are closer than h by the minimum image, where the step computed its forces.
fn pairs(world: &World) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
    let live = world.control.particle_count as usize;
    let sorted = &world.sorted_position[..live];
    let all: Vec<_> = sorted.iter().map(|x| DVec3::from_slice(&x[..3])).collect();
    let Params { grid, kernel, .. } = &world.params;
    let (period, h) = (grid.period.as_dvec3(), f64::from(kernel.support_radius));
    let near = move |a: DVec3, b: DVec3| {
        let mut offset = a - b;
        for k in 0..3 {
            if period[k] > 0.0 {
                offset[k] -= period[k] * (offset[k] / period[k]).round();
            }
        }
        offset.length() < h
    };
    let of = move |i: usize| {
        let all = all.clone();
        (0..i).map(move |j| (all[i], all[j])).collect::<Vec<_>>()
    };
    (0..live).flat_map(of).filter(move |(a, b)| near(*a, *b))
}

/// The folder of the scenes: where this crate was built, or below the working directory.
fn folder() -> PathBuf {
    let built = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes"));
    if built.is_dir() { built } else { "tests/scenes".into() }
}

impl Case {
    /// Names of all scenes.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn names() -> io::Result<Vec<String>> {
        let files: Vec<_> = fs::read_dir(folder())?.collect::<io::Result<_>>()?;
        let name = |entry: &fs::DirEntry| {
            entry.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned)
        };
        let mut names: Vec<_> = files.iter().filter_map(name).collect();
        names.sort();
        Ok(names)
    }

    /// The scene of this name.
    ///
    /// # Panics
    /// With a message that names the file, if it is not a scene with a head.
    #[must_use]
    pub fn read(name: &str) -> Self {
        let path = folder().join(format!("{name}.toml"));
        let file = path.display();
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        let lines: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("#: ")).collect();
        let head: Head = toml::from_str(&lines.join("\n"))
            .unwrap_or_else(|error| panic!("{file}, lines `#:`: {error}"));
        for reached in &head.reaches {
            condition(reached).unwrap_or_else(|| panic!("{file}: nothing is named `{reached}`"));
        }
        let scene = load_scene(&path.to_string_lossy(), &LoadOptions::default())
            .unwrap_or_else(|error| panic!("{error}"))
            .scene;
        Self { name: name.to_owned(), scene, head }
    }

    /// Names of the solvers with which it is run.
    #[must_use]
    pub fn solvers(&self) -> Vec<String> {
        match self.head.solvers.as_slice() {
            [] => {
                let registry = Registry::standard();
                registry.solvers(&sph::FAMILY).map(|method| method.name.to_owned()).collect()
            }
            some => some.to_vec(),
        }
    }

    /// The scene with a solver.
    #[must_use]
    pub fn with(&self, solver: &str) -> Scene {
        let mut scene = self.scene.clone();
        scene.solver = solver.to_owned();
        scene
    }

    /// Runs the scene in the reference with a solver: its meshes' distances, its steps with a report each, and its
    /// surface. Returns what it should reach and does not. Only stages of the pass `only` are told, if it names one.
    ///
    /// # Errors
    /// What `see` returns, a stage that the reference cannot do.
    pub fn run(&self, solver: &str, only: Option<&str>, see: See<'_>) -> Result<Vec<String>, Stop> {
        let registry = Registry::standard();
        let mut course = Course::new(&self.with(solver), &registry, Twins::standard(), only, see)?;
        let mut open: Vec<_> = self.head.reaches.clone();
        for number in 0..=self.head.steps {
            let before = course.replica().world.clone();
            course.step(see)?;
            let after = &course.replica().world;
            let step = Step { before: &before, after };
            open.retain(|reached| match condition(reached) {
                Some((at, _)) if at.is_some_and(|at| at != number) => true,
                Some((_, happens)) => !happens(&step),
                None => true,
            });
            course.report(see)?;
            if self.head.changes == Some(number) {
                course.query(see)?;
                course.change(see)?;
            }
        }
        let control = &course.replica().world.control;
        if control.step != self.head.steps || control.failure != self.head.failure {
            open.push(format!(
                "{} steps and failure {}: step {}, failure {}",
                self.head.steps, self.head.failure, control.step, control.failure
            ));
        }
        // Surfaces do not depend on the solver.
        if self.head.surface && self.solvers().first().is_some_and(|first| first == solver) {
            let plain =
                SurfaceOptions { smoothing: 2, velocity: true, ..SurfaceOptions::default() };
            let fine = SurfaceOptions { fineness: 2, ..SurfaceOptions::default() };
            let stretched = SurfaceOptions { anisotropic: true, smoothing: 1, ..plain };
            for options in [plain, fine, stretched] {
                course.surface(&options, see)?;
            }
            // Each on its own, once the plain way and once the other.
            for number in 0..self.scene.materials.len() as u32 {
                let options = if number.is_multiple_of(2) { plain } else { stretched };
                course.surface(&SurfaceOptions { material: Some(number), ..options }, see)?;
            }
            course.splats(see)?;
            course.query(see)?;
        }
        Ok(open)
    }
}

/// The step in which something is to happen, and its condition.
fn condition(reached: &str) -> Option<(Option<u32>, Condition)> {
    let (name, step) = match reached.split_once(" in step ") {
        Some((name, step)) => (name, Some(step.parse().ok()?)),
        None => (reached, None),
    };
    let (_, condition) = REACHED.iter().find(|(known, _)| *known == name)?;
    Some((step, *condition))
}
