//! The command line. Its doc comments are the help text.

#![allow(clippy::doc_markdown, reason = "backticks would show in the help")]

mod surface;

use std::{path::PathBuf, str::FromStr, time::Duration};

use clap::{
    Args, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use meniscus::model::methods::{Axis, Family, Quantity, Registry};
use meniscus_formats::{BodyFormat, LoadOptions, Loaded, MeshFormat, ParticleFormat, load_scene};
use meniscus_render::Mode;

use crate::{Failure, run::Every, terminal};
pub(crate) use surface::{Surface, SurfaceFormat};

/// Fluid simulation on the GPU, from the command line.
///
/// Every stage of the simulation is a compute pass, so it runs on any GPU (Vulkan, Metal, DX12),
/// and on software Vulkan without one.
#[derive(Debug, Parser)]
#[command(name = "meniscus", version, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
First steps:
  meniscus scenes                                            what there is to run
  meniscus render dam_break --until 0.5 --set particle_radius=0.03 --out dam.png
                                                             a picture, in seconds
  meniscus render showcase --set particle_radius=0.03 --out showcase.gif
                                                             a film; .mp4 and .webp need ffmpeg
  meniscus run dam_break --surface glb --particles vtk --out out
                                                             files for Blender and ParaView
  meniscus profile dam_break                                 where the time goes

A scene is a TOML file. Save this as puddle.toml, then `meniscus render puddle.toml --out puddle.gif`:
  particle_radius = 0.02
  [[material]]
  name = \"water\"
  [[fluid]]
  shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.4, 0.4] }
  [[boundary]]
  shape.box = { min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 0.4] }

Exit status: 0 success; 1 the simulation, the device or an output failed; 2 invalid input;
3 no suitable adapter.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scene and write particles, meshes, a log and checkpoints.
    Run(Run),
    /// Draw a scene as an image, a video or a folder of images.
    Render(Render),
    /// Measure the time of every pass of a step.
    Profile(Profile),
    /// Measure all solvers and the surface in several sizes, and compare with an earlier run.
    ///
    /// The scene is dam_break, from rest. Each case is a simulation of its own: a solver with a particle
    /// radius, or the extraction of the surface after a few steps of Müller's method. The result is a
    /// Markdown table on standard output. Other programs on the same machine disturb it.
    Bench(Bench),
    /// Convert a scene of SPlisHSPlasH to the native format.
    Import(Import),
    /// List the GPU adapters and their capabilities.
    ///
    /// The exit status is 3 if none of them can be used.
    Info,
    /// List the bundled scenes.
    ///
    /// Commands accept their names in place of a scene file.
    Scenes,
}

/// The scene and the adapter.
#[derive(Debug, Args)]
pub(crate) struct Scene {
    /// Scene file (.toml, or .json of SPlisHSPlasH), or the name of a bundled scene.
    #[arg(value_name = "SCENE")]
    source: String,
    /// Pressure solver, in place of the scene's own.
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Set a key of the scene, as in --set particle_radius=0.02 --set material[0].viscosity=2.
    ///
    /// Keys are those of the native format (see crates/formats/scene.toml), also for imported scenes; values
    /// are TOML. May be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    pub(crate) device: Device,
}

/// The adapter and its use.
#[derive(Debug, Args)]
pub(crate) struct Device {
    /// GPU adapter, by number or part of its name as listed by `meniscus info`.
    ///
    /// The environment variable WGPU_BACKEND (vulkan, metal, dx12) restricts the choice.
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
    /// Use of subgroup operations in the neighbour search; auto uses them on software adapters
    /// only.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) subgroups: Subgroups,
}

/// `--subgroups`.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Subgroups {
    Auto,
    On,
    Off,
}

impl From<Subgroups> for meniscus::Subgroups {
    fn from(when: Subgroups) -> Self {
        match when {
            Subgroups::Auto => Self::Auto,
            Subgroups::On => Self::On,
            Subgroups::Off => Self::Off,
        }
    }
}

/// The quantities of a scene with these names.
pub(crate) fn find_quantities(
    option: &str,
    names: &[String],
    scene: &meniscus::model::Scene,
) -> Result<Vec<Quantity>, Failure> {
    let registry = Registry::standard();
    let find = |name: &String| registry.quantity(scene, name);
    let found: Result<_, _> = names.iter().map(find).collect();
    found.map_err(|message| Failure::Input(format!("{option}: {message}")))
}

impl Scene {
    /// Reads the scene with the additional keys `more`, and prints its warnings.
    pub(crate) fn load(&self, more: &[String]) -> Result<Loaded, Failure> {
        let set = [&self.set[..], more].concat();
        let options = LoadOptions { solver: self.solver.clone(), set };
        let loaded = load_scene(&self.source, &options)?;
        for warning in &loaded.warnings {
            terminal::complain("warning", &format!("{}: {warning}", loaded.source));
        }
        Ok(loaded)
    }
}

/// Arguments of `meniscus import`.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// Scene of SPlisHSPlasH (.json).
    #[arg(value_name = "SCENE")]
    pub(crate) source: String,
    /// Native scene to write; it refers to the same mesh and particle files.
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) out: PathBuf,
    /// Pressure solver, in place of the scene's own.
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Set a key of the native scene. May be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Import {
    /// Options for reading the scene.
    pub(crate) fn options(&self) -> LoadOptions {
        LoadOptions { solver: self.solver.clone(), set: self.set.clone() }
    }
}

/// Arguments of `meniscus run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) scene: Scene,
    /// End time of the simulation, in s [default: the scene's].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Frames (particle files, log lines) per simulated second [default: the scene's].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame_rate)]
    pub(crate) fps: Option<f64>,
    /// Output folder for particle and mesh files, created if needed [default: out].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write the particles of every frame: particles_00000.ply (.vtp, .csv, .bgeo), …
    ///
    /// The files contain id, position in m, velocity in m/s and density in kg/m³ of every fluid
    /// particle, and --particle-quantities. ParaView opens the first three formats, Houdini bgeo; particles.pvd lists
    /// those of vtk with their times.
    #[arg(long, value_name = "ply|vtk|csv|bgeo", value_parser = named(ParticleFormat::ALL))]
    pub(crate) particles: Option<ParticleFormat>,
    /// Write the fields on the cells of a grid of every frame: cells_00000.vti, …, listed with times in cells.pvd.
    ///
    /// Of smoke: density, temperature in K above that of the surroundings, velocity in m/s and pressure in Pa at the
    /// cells' centres; of liquids on a grid: cover (1 in liquid, 1/2 on its surface), velocity and pressure.
    #[arg(long, value_name = "vti", value_parser = ["vti"])]
    pub(crate) grid: Option<String>,
    /// Quantities to add to particle files, as in pressure,speed.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "particles")]
    #[arg(long_help = quantities("Quantities to add to particle files, as in pressure,speed."))]
    pub(crate) particle_quantities: Vec<String>,
    /// Write the rigid bodies of every frame: bodies_00000.csv (.json, .ply, …), …
    ///
    /// CSV and JSON contain name, position in m, quaternion (x, y, z, w), velocities in m/s and
    /// rad/s, and the fluid's force in N and torque in N m for every body of the scene; they place
    /// the meshes of --boundaries. PLY, OBJ and GLB contain those meshes already in place; in OBJ and GLB each is an
    /// object of the body's name.
    #[arg(long, value_name = "csv|json|ply|obj|glb", value_parser = named(BodyFormat::ALL))]
    pub(crate) bodies: Option<BodyFormat>,
    /// Write the fluid's surface of every frame as a mesh: surface_00000.ply (.obj, .glb), …
    ///
    /// Blender, MeshLab and ParaView open these files; surface.pvd lists those of vtk (.vtp) with their times. The mesh
    /// is closed: where the fluid touches a wall, the surface follows the wall. It has normals; --surface-velocity and
    /// --surface-speed add more. usd is one animated file, surface.usda, of the surface with velocities for motion blur,
    /// the bodies and the boundaries; it is written at the end and with each checkpoint.
    #[arg(long, value_name = "ply|obj|glb|vtk|usd", value_parser = surface::format())]
    pub(crate) surface: Option<SurfaceFormat>,
    /// Write the animation of --surface usd to this file, also beside files of another format.
    #[arg(long, value_name = "FILE.usda")]
    pub(crate) usd: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) surface_options: Surface,
    /// Write the scene's solids once: boundaries.obj (.glb, .ply), body_1.obj, body_2.obj, …
    ///
    /// Boundaries are written at their initial places as objects of one file, bodies in their own axes relative to their
    /// centre of mass, numbered in the order of the scene as in the files of --bodies.
    #[arg(long, value_name = "ply|obj|glb|vtk", value_parser = named(MeshFormat::ALL))]
    pub(crate) boundaries: Option<MeshFormat>,
    /// Write one JSON object per frame: time, steps, energies, momenta, density error, …
    ///
    /// A new run replaces the file. A resumed run keeps the lines up to the frame of its checkpoint
    /// and appends to them.
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) log: Option<PathBuf>,
    /// Quantities whose mean and maximum over the fluid the log contains, as in pressure,speed.
    ///
    /// Their keys are pressure_mean, pressure_max, …; the names are those of --particle-quantities,
    /// except ids.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "log")]
    pub(crate) log_quantities: Vec<String>,
    /// Write the values of the scene's [[probe]]s, a line for each frame: time [s],gauge_1 [m], …
    ///
    /// The log has them, too. Where there is no fluid, a value is empty.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) probes: Option<PathBuf>,
    /// When to write a line of --probes: frame, step, or a time in s.
    #[arg(long, value_name = "frame|step|S", default_value = "frame", requires = "probes")]
    #[arg(value_parser = Every::parse)]
    pub(crate) probe_every: Every,
    /// Write the fluid's forces on bodies, and on boundaries with a name and response.particles, a line for each frame:
    /// time [s],NAME.mean_force_x [N], …
    ///
    /// Means are over the frame, by the impulse of all its steps; force and torque are those of its last step. Torques in
    /// N m are about the centre of the solid. pressure is the part by pressure and by the surface, which stops fast
    /// particles; friction the rest, by viscosity and tension.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) forces: Option<PathBuf>,
    /// Write checkpoints to this file, from which --resume continues.
    ///
    /// Ctrl-C ends the run after the frame that it is in, with a checkpoint; a second one at once.
    ///
    /// The file is replaced atomically, so it is valid at any time, even after a power failure.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Number of frames between checkpoints; the last frame also writes one.
    #[arg(long, value_name = "FRAMES", default_value_t = 60, requires = "checkpoint")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Resume from a checkpoint; on the same device the results are bit-identical to an
    /// uninterrupted run.
    ///
    /// The scene must be the one that wrote the checkpoint, with the same solver, frame rate and
    /// --set keys. Only --until may differ.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Print only warnings and errors, neither progress nor a summary.
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl Run {
    /// Whether it writes files to its folder.
    pub(crate) fn has_files(&self) -> bool {
        self.particles.is_some()
            || self.grid.is_some()
            || self.surface.is_some()
            || self.bodies.is_some()
            || self.boundaries.is_some()
    }

    /// Whether it writes anything.
    pub(crate) fn has_outputs(&self) -> bool {
        self.has_files()
            || self.usd.is_some()
            || self.log.is_some()
            || self.probes.is_some()
            || self.forces.is_some()
            || self.checkpoint.is_some()
    }
}

const RUN_EXAMPLES: &str = "\
Examples:
  One second of the dam break, for ParaView, with a log:
    meniscus run dam_break --until 1 --out out --particles vtk --log out/log.jsonl
  The same with fewer particles and frames:
    meniscus run dam_break --set particle_radius=0.03 --fps 30 --particles vtk
  The surface for Blender, with the speed as vertex colour:
    meniscus run dam_break --set particle_radius=0.03 --surface ply --surface-speed
  A long run in two parts:
    meniscus run pour --until 2 --checkpoint pour.checkpoint --log pour.jsonl
    meniscus run pour --until 4 --resume pour.checkpoint --log pour.jsonl
  A scene of SPlisHSPlasH:
    meniscus run DamBreakModel.json --solver iisph --until 1 --particles ply";

/// Help of an option that takes names of quantities.
fn quantities(about: &str) -> String {
    let line = |quantity: &Quantity| {
        let Quantity { name, help, .. } = quantity;
        let unit = Some(quantity.unit()).filter(|unit| !unit.is_empty());
        let unit = unit.map_or(String::new(), |unit| format!(" ({unit})"));
        format!("\n  {name}{unit}: {help}")
    };
    let mut text = format!("{about}\n\nEvery scene has");
    text.extend(Quantity::COMMON.iter().map(line));
    text += "\nand with the solvers of SPH";
    text.extend(Quantity::SPH.iter().map(line));
    for method in Registry::standard().methods().filter(|method| !method.quantities.is_empty()) {
        text += &format!("\nand with {} {:?}", method.axis.key(), method.name);
        text.extend(method.quantities.iter().map(line));
    }
    text
}

fn frame_rate(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|fps: &f64| fps.is_finite() && *fps > 0.0);
    number.ok_or_else(|| "expected a number greater than 0".into())
}

/// Arguments of `meniscus render`.
#[derive(Debug, Args)]
#[command(after_help = RENDER_EXAMPLES)]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) scene: Scene,
    /// Output: FILE.png for an image of the last frame; FILE.mp4, .webp or .gif for a video; a name
    /// without extension for a folder of images, frame_00000.png, …
    ///
    /// MP4 and WebP need ffmpeg on the PATH; without it, the images are written to a folder.
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) out: PathBuf,
    /// Image size in pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub(crate) size: [u32; 2],
    /// View mode of the fluid.
    ///
    /// particles: lit spheres, coloured by --color; splats: a surface of blended discs; surface:
    /// the surface mesh, as water; screen_space: water from the particles' depth [default: surface;
    /// particles in 2-D and of jelly, snow and sand].
    #[arg(long, value_name = "MODE", value_parser = named(Mode::ALL))]
    pub(crate) view: Option<Mode>,
    /// Quantity that colours the particles [default: material where materials have colours, else speed].
    #[arg(long, value_name = "QUANTITY")]
    #[arg(long_help = quantities(
        "Quantity that colours the particles [default: material where materials have colours, else speed]."
    ))]
    pub(crate) color: Option<String>,
    /// Range of the colour map, as in 0,3 [default: from the scene].
    #[arg(long, value_name = "MIN,MAX", value_parser = range, allow_hyphen_values = true)]
    pub(crate) range: Option<[f32; 2]>,
    /// End time of the simulation, in s [default: the scene's].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Simulated time of the video's first image, in s.
    #[arg(long, value_name = "S", default_value_t = 0.0)]
    pub(crate) from: f64,
    /// Images per simulated second [default: the scene's].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame_rate)]
    pub(crate) fps: Option<f64>,
    /// Images per second of video, for slow or fast motion [default: same as --fps].
    #[arg(long, alias = "film-fps", value_name = "N", allow_negative_numbers = true, value_parser = frame_rate)]
    pub(crate) video_fps: Option<f64>,
    /// Position of the camera in m, as in -1.5,1.8,4 [default: the scene's, or one that shows the
    /// whole scene].
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    pub(crate) eye: Option<[f64; 3]>,
    /// Point that the camera looks at, in m.
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    pub(crate) target: Option<[f64; 3]>,
    /// Vertical field of view in degrees.
    #[arg(long, value_name = "DEGREES", value_parser = angle)]
    pub(crate) fov: Option<f64>,
    /// Rotation of the camera around its target, in degrees per simulated second.
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) turn: f64,
    /// Brightness factor.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    pub(crate) exposure: f32,
    /// Do not draw containers and obstacles.
    #[arg(long)]
    pub(crate) no_boundaries: bool,
    /// Do not draw the legend.
    #[arg(long)]
    pub(crate) no_legend: bool,
    #[command(flatten)]
    pub(crate) surface_options: Surface,
    /// Print only warnings and errors, no progress.
    #[arg(long)]
    pub(crate) quiet: bool,
}

const RENDER_EXAMPLES: &str = "\
Examples:
  An image of the water after half a second:
    meniscus render dam_break --until 0.5 --out dam.png
  A video of the particles, coloured by speed, in slow motion:
    meniscus render dam_break --view particles --fps 60 --video-fps 30 --out dam.mp4
  A small looping animation for a web page:
    meniscus render pour --set particle_radius=0.004 --size 480x360 --fps 20 --out pour.gif";

fn size(text: &str) -> Result<[u32; 2], String> {
    let parts = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let size = parts.filter(|size| size.iter().all(|pixels| (1..=16384).contains(pixels)));
    size.ok_or_else(|| "expected WIDTHxHEIGHT in pixels, each 1 to 16384, as in 1280x720".into())
}

fn vector(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    let vector = <[f64; 3]>::try_from(numbers).ok().filter(|v| v.iter().all(|x| x.is_finite()));
    vector.ok_or_else(|| "expected three numbers, as in -1.5,1.8,4".into())
}

fn range(text: &str) -> Result<[f32; 2], String> {
    let ends = text.split_once(',');
    let ends = ends.and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    let range = ends.filter(|[a, b]: &[f32; 2]| a.is_finite() && b.is_finite() && a < b);
    range.ok_or_else(|| "expected two numbers, the smaller one first, as in 0,3".into())
}

fn angle(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|degrees| (1.0..=170.0).contains(degrees));
    number.ok_or_else(|| "expected 1 to 170 degrees".into())
}

fn factor(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|factor: &f32| factor.is_finite() && *factor > 0.0);
    number.ok_or_else(|| "expected a number greater than 0".into())
}

/// Parser for one of a list of values by its name.
fn named<T>(all: &[T]) -> impl TypedValueParser<Value = T> + use<T>
where
    T: Copy + Into<&'static str> + FromStr + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync,
{
    PossibleValuesParser::new(all.iter().map(|value| -> &'static str { (*value).into() }))
        .try_map(|name| name.parse::<T>())
}

/// Arguments of `meniscus profile`.
#[derive(Debug, Args)]
#[command(after_help = PROFILE_EXAMPLES)]
pub(crate) struct Profile {
    #[command(flatten)]
    pub(crate) scene: Scene,
    /// Number of steps to time, after a warm-up of a fifth as many (at least 5).
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: u32,
    /// Also time the extraction of the surface, after the steps.
    #[arg(long)]
    pub(crate) surface: bool,
    #[command(flatten)]
    pub(crate) surface_options: Surface,
    /// Write the results as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write every pass of every step as a Chrome trace, for ui.perfetto.dev.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
}

const PROFILE_EXAMPLES: &str = "\
Examples:
  meniscus profile dam_break
  meniscus profile dam_break --set particle_radius=0.006 --json profile.json --trace trace.json

Bytes are the minimum that a pass must move: every element that it binds once, or twice if it both
reads and writes it. Repeated loads do not count, so GB/s is a lower bound.";

/// Arguments of `meniscus bench`.
#[derive(Debug, Args)]
#[command(after_help = BENCH_EXAMPLES)]
pub(crate) struct Bench {
    /// Sizes: small, medium and large, or particle radii in m, as in --sizes small,0.02.
    ///
    /// They have about 12,000, 100,000 and 400,000 particles of fluid (radii of 0.0275, 0.0135 and 0.0085 m).
    /// The number of particles is inversely proportional to the radius cubed.
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "small,medium,large")]
    #[arg(value_parser = particle_radius)]
    pub(crate) sizes: Vec<f64>,
    /// Pressure solvers, as in --solvers muller,dfsph [default: all].
    #[arg(long, value_name = "NAMES", value_delimiter = ',', hide_default_value = true)]
    #[arg(default_values = solvers(), value_parser = PossibleValuesParser::new(solvers()))]
    pub(crate) solvers: Vec<String>,
    /// Number of steps, or of extractions of the surface, to time in each case, after a warm-up of 5 steps.
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: u32,
    /// Wall time of each case in s, after which no further step begins: a slow case makes fewer steps than
    /// --steps, but at least one, after a warm-up of at least one.
    #[arg(long, value_name = "S", default_value = "8", value_parser = duration)]
    pub(crate) seconds: Duration,
    /// Write the results as JSON, with the time of every step and of every pass.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the table to a Markdown file.
    ///
    /// In a file that exists, only the text between the lines <!-- bench --> and <!-- end bench -->
    /// changes.
    #[arg(long, value_name = "FILE.md")]
    pub(crate) markdown: Option<PathBuf>,
    /// Compare with the JSON of an earlier run: a column with the ratio of median times, new to old.
    ///
    /// Both medians are of the steps that both runs have measured, since from rest the number of iterations
    /// changes from step to step. Timings are comparable only on the same machine.
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) device: Device,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  All solvers in three sizes, which takes some minutes:
    meniscus bench --json before.json
  The same after a change, with the ratio of times (0.5 is twice as fast):
    meniscus bench --against before.json
  One solver with a million particles:
    meniscus bench --solvers dfsph --sizes 0.0063

Iterations are means per step. Particle-steps per second count the particles of walls as well.
A simulated second takes the median time of a step divided by the mean length of the steps.";

/// Solvers of scenes with particles.
fn solvers() -> Vec<&'static str> {
    let registry = Registry::standard();
    let all = registry.of(Axis::Pressure).filter(|method| method.family() != Family::Smoke);
    all.map(|method| method.name).collect()
}

fn particle_radius(text: &str) -> Result<f64, String> {
    match text {
        "small" => Ok(0.0275),
        "medium" => Ok(0.0135),
        "large" => Ok(0.0085),
        _ => text
            .parse()
            .ok()
            .filter(|radius: &f64| radius.is_finite() && *radius > 0.0)
            .ok_or_else(|| "expected small, medium, large or a particle radius in m".into()),
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected a number of seconds greater than 0".into())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
