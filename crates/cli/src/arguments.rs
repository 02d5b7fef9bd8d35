//! The command line. Its doc comments are the help text.

#![allow(clippy::doc_markdown, reason = "backticks would show in the help")]

use std::path::PathBuf;

use clap::{
    Args, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use meniscus::SurfaceOptions;
use meniscus_formats::{BodyFormat, LoadOptions, Loaded, MeshFormat, ParticleFormat, load_scene};
use meniscus_render::{ColorBy, Mode};

use crate::{Failure, terminal};

/// SPH fluid simulation on the GPU, without a window.
///
/// Every stage of the simulation is a compute pass, so that it runs on any GPU (Vulkan, Metal,
/// DX12), and on software Vulkan where there is none.
#[derive(Debug, Parser)]
#[command(name = "meniscus", version, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  meniscus scenes
  meniscus run dam_break --until 1 --out out --particles vtk --log out/log.jsonl
  meniscus render dam_break --until 1 --out dam.mp4
  meniscus profile dam_break --steps 50

Exit status: 0 done; 1 the simulation, the device or an output failed; 2 the input was wrong;
3 there is no adapter.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Advances a scene frame by frame and writes particles, a log, checkpoints.
    Run(Run),
    /// Draws a scene: a picture, a film, or a folder of pictures.
    Render(Render),
    /// Times every pass of a step.
    Profile(Profile),
    /// Turns a scene of SPlisHSPlasH into a native one that runs the same.
    Import(Import),
    /// Lists the adapters and what they can do.
    ///
    /// Exit status 3 where there is none that can be used.
    Info,
    /// Lists the bundled scenes.
    ///
    /// Their names are taken wherever a scene is asked for.
    Scenes,
}

/// Which scene, and on what.
#[derive(Debug, Args)]
pub(crate) struct Scene {
    /// A scene file (.toml; .json for SPlisHSPlasH's), or the name of a bundled scene.
    #[arg(value_name = "SCENE")]
    source: String,
    /// The pressure solver, in place of the scene's own.
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Sets a key of the scene, as in --set particle_radius=0.02 --set material[0].viscosity=2.
    ///
    /// Keys are those of the native format (docs/scene.toml explains each), also for imported
    /// scenes; values are TOML. May be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The adapter, by number or part of its name as `meniscus info` lists them.
    ///
    /// The environment variable WGPU_BACKEND (vulkan, metal, dx12) narrows the choice before.
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
    /// Whether pairs are found with subgroup operations: auto takes them on software adapters.
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

impl Scene {
    /// Reads the scene, with `more` keys set, and passes its warnings on.
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

/// What `meniscus import` takes.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// A scene of SPlisHSPlasH (.json).
    #[arg(value_name = "SCENE")]
    pub(crate) source: String,
    /// The native scene, which goes on naming the meshes and particles of the other.
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) out: PathBuf,
    /// The pressure solver, in place of the scene's own.
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Sets a key of the native scene.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Import {
    /// How the scene is to be read.
    pub(crate) fn options(&self) -> LoadOptions {
        LoadOptions { solver: self.solver.clone(), set: self.set.clone() }
    }
}

/// What `meniscus run` takes.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) scene: Scene,
    /// Simulated time at which to end, in s [default: the scene's].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Frames (particle files, log lines) per simulated second [default: the scene's].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame_rate)]
    pub(crate) fps: Option<f64>,
    /// The folder for particle and mesh files, created where needed [default: out].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Writes the particles of every frame: particles_00000.ply (.vtp, .csv), …
    ///
    /// A file holds id, position in m, velocity in m/s and density in kg/m³ of every particle
    /// of fluid.
    /// ParaView opens all three.
    #[arg(long, value_name = "ply|vtk|csv", value_parser = named(ParticleFormat::ALL))]
    pub(crate) particles: Option<ParticleFormat>,
    /// Writes the rigid bodies of every frame: bodies_00000.csv (.json), …
    ///
    /// A file holds name, position in m, quaternion (x, y, z, w), velocities in m/s and rad/s, and the
    /// fluid's force in N and torque in N m on every body of the scene. They turn and move the meshes
    /// of --boundaries; ply, obj and glb are those meshes turned and moved.
    #[arg(long, value_name = "csv|json|ply|obj|glb", value_parser = named(BodyFormat::ALL))]
    pub(crate) bodies: Option<BodyFormat>,
    /// Writes the fluid's surface of every frame as a mesh: surface_00000.ply (.obj, .glb), …
    ///
    /// Blender, MeshLab and ParaView open them. The mesh is closed, also where the fluid touches a
    /// wall: there it ends on the wall. It has normals; --surface-speed adds the speed.
    #[arg(long, value_name = "ply|obj|glb", value_parser = named(MeshFormat::ALL))]
    pub(crate) surface: Option<MeshFormat>,
    #[command(flatten)]
    pub(crate) surface_options: Surface,
    /// Writes the scene's solids once: boundaries.obj (.glb, .ply), body_1.obj, body_2.obj, …
    ///
    /// Boundaries are where they are at the start, bodies in their own axes about their centres of
    /// mass, numbered in the order of the scene, which is that of the files of --bodies.
    #[arg(long, value_name = "ply|obj|glb", value_parser = named(MeshFormat::ALL))]
    pub(crate) boundaries: Option<MeshFormat>,
    /// Writes a JSON object per frame: time, steps, energies, momenta, density error, …
    ///
    /// A run from the start replaces the file. A resumed run continues it after the frame of the
    /// checkpoint: lines of later frames are dropped.
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) log: Option<PathBuf>,
    /// Keeps a checkpoint in this file, from which --resume goes on.
    ///
    /// It is replaced as a whole, so that it is valid at any time, even if the power fails.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Writes the checkpoint every so many frames, and at the end.
    #[arg(long, value_name = "FRAMES", default_value_t = 60, requires = "checkpoint")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Goes on from a checkpoint, on the same device as if it had never stopped.
    ///
    /// The scene must be the one that wrote it, with the same solver, frame rate and --set keys:
    /// other physics would not be the same run, and is refused. Only --until may differ.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Shows neither progress nor a summary, only warnings and errors.
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// How a surface is extracted.
#[derive(Debug, Args)]
pub(crate) struct Surface {
    /// Cubes along a particle radius (at h = 4 radii), 1 to 4: how fine the surface is.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(SurfaceOptions::FINEST)))]
    surface_fineness: u32,
    /// Rounds of smoothing (Taubin's, which keeps the volume), up to 32 [default: 0; for pictures 8].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(SurfaceOptions::SMOOTHEST)))]
    surface_smoothing: Option<u32>,
    /// Value of the colour field on the surface, between 0 (outside) and 1 (inside)
    /// [default: 0.6; 0.25 with --surface-anisotropic].
    #[arg(long, value_name = "C", value_parser = surface_value)]
    surface_value: Option<f32>,
    /// Stretches kernels along the surface (Yu, Turk 2013): flatter, with sharper edges.
    #[arg(long)]
    surface_anisotropic: bool,
    /// Gives the vertices the fluid's speed, as a number and as a colour.
    #[arg(long)]
    pub(crate) surface_speed: bool,
}

impl Surface {
    /// The options, with so many rounds of smoothing where the command line names none.
    pub(crate) fn options(&self, smoothing: u32) -> SurfaceOptions {
        SurfaceOptions {
            fineness: self.surface_fineness,
            value: self.surface_value,
            anisotropic: self.surface_anisotropic,
            smoothing: self.surface_smoothing.unwrap_or(smoothing),
            speed: self.surface_speed,
        }
    }
}

fn surface_value(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|value: &f32| *value > 0.0 && *value < 1.0);
    number.ok_or_else(|| "expected a number greater than 0 and less than 1".into())
}

const RUN_EXAMPLES: &str = "\
Examples:
  A second of the dam break, for ParaView, with a log:
    meniscus run dam_break --until 1 --out out --particles vtk --log out/log.jsonl
  The same, smaller and in fewer frames:
    meniscus run dam_break --set particle_radius=0.03 --fps 30 --particles vtk
  The surface, for Blender, with the speed as vertex colour:
    meniscus run dam_break --set particle_radius=0.03 --surface ply --surface-speed
  A long run in two sittings:
    meniscus run pour --until 2 --checkpoint pour.checkpoint --log pour.jsonl
    meniscus run pour --until 4 --resume pour.checkpoint --log pour.jsonl
  A scene of SPlisHSPlasH:
    meniscus run DamBreakModel.json --solver muller --until 1 --particles ply";

fn frame_rate(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|fps: &f64| fps.is_finite() && *fps > 0.0);
    number.ok_or_else(|| "expected a number greater than 0".into())
}

/// What `meniscus render` takes.
#[derive(Debug, Args)]
#[command(after_help = RENDER_EXAMPLES)]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) scene: Scene,
    /// FILE.png: the last frame. FILE.mp4, .webp, .gif: a film. A name without extension: a folder
    /// of pictures, frame_00000.png, …
    ///
    /// MP4 and WebP need ffmpeg on the PATH; without it the pictures are left in a folder.
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) out: PathBuf,
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub(crate) size: [u32; 2],
    /// How the fluid is drawn.
    ///
    /// particles: as lit spheres, in colours that --color names; splats: as a skin of discs;
    /// surface: as water, by its mesh; screen_space: as water, by the depth of its particles
    /// [default: surface; particles in 2-D].
    #[arg(long, value_name = "MODE", value_parser = named(Mode::ALL))]
    pub(crate) view: Option<Mode>,
    /// What colours particles.
    #[arg(long, value_name = "WHAT", default_value = "speed", value_parser = named(ColorBy::ALL))]
    pub(crate) color: ColorBy,
    /// Values of the first and the last colour, as in 0,3 [default: by the scene].
    #[arg(long, value_name = "MIN,MAX", value_parser = range, allow_hyphen_values = true)]
    pub(crate) range: Option<[f32; 2]>,
    /// Simulated time at which to end, in s [default: the scene's].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Simulated time of the film's first picture, in s.
    #[arg(long, value_name = "S", default_value_t = 0.0)]
    pub(crate) from: f64,
    /// Pictures per simulated second [default: the scene's].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame_rate)]
    pub(crate) fps: Option<f64>,
    /// Pictures per second of the film, where it is to be slower or faster than the water
    /// [default: as --fps].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame_rate)]
    pub(crate) film_fps: Option<f64>,
    /// Where the camera is, in m, as in -1.5,1.8,4 [default: the scene's, or where all is seen].
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    pub(crate) eye: Option<[f64; 3]>,
    /// What the camera looks at, in m.
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    pub(crate) target: Option<[f64; 3]>,
    /// Vertical angle of view in degrees.
    #[arg(long, value_name = "DEGREES", value_parser = angle)]
    pub(crate) fov: Option<f64>,
    /// Turns the camera around its target, in degrees per simulated second.
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) turn: f64,
    /// Factor on all light.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    pub(crate) exposure: f32,
    /// Leaves containers and obstacles out.
    #[arg(long)]
    pub(crate) no_boundaries: bool,
    /// Leaves the legend out.
    #[arg(long)]
    pub(crate) no_legend: bool,
    #[command(flatten)]
    pub(crate) surface_options: Surface,
    /// Shows no progress, only warnings and errors.
    #[arg(long)]
    pub(crate) quiet: bool,
}

const RENDER_EXAMPLES: &str = "\
Examples:
  A picture of the water after half a second:
    meniscus render dam_break --until 0.5 --out dam.png
  A film of its particles, coloured by speed, at half speed:
    meniscus render dam_break --view particles --fps 60 --film-fps 30 --out dam.mp4
  A small looping picture for a web page:
    meniscus render pour --set particle_radius=0.004 --size 480x360 --fps 20 --out pour.gif";

fn size(text: &str) -> Result<[u32; 2], String> {
    let parts = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let size = parts.filter(|size| size.iter().all(|pixels| (1..=16384).contains(pixels)));
    size.ok_or_else(|| "expected WIDTHxHEIGHT in pixels, as in 1280x720".into())
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

/// One of a list of named values.
fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let value = |name: String| all.iter().find(|row| row.0 == name).map(|row| row.1);
    PossibleValuesParser::new(all.iter().map(|(name, _)| *name))
        .try_map(move |name| value(name).ok_or("no such name"))
}

/// What `meniscus profile` takes.
#[derive(Debug, Args)]
#[command(after_help = PROFILE_EXAMPLES)]
pub(crate) struct Profile {
    #[command(flatten)]
    pub(crate) scene: Scene,
    /// Steps to time, after a fifth as many (at least 5) that are not.
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: u32,
    /// Times the extraction of the surface as well, after the steps.
    #[arg(long)]
    pub(crate) surface: bool,
    #[command(flatten)]
    pub(crate) surface_options: Surface,
    /// Writes the figures as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Writes every pass of every step as a Chrome trace, for ui.perfetto.dev.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
}

const PROFILE_EXAMPLES: &str = "\
Examples:
  meniscus profile dam_break
  meniscus profile dam_break --set particle_radius=0.006 --json profile.json --trace trace.json

Bytes are the least that a pass must move: every element that it binds once, twice where it both
reads and writes. Loads that caches serve do not count, so that GB/s is a lower bound.";

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
