//! The command line. Its doc comments are the help text.

#![allow(clippy::doc_markdown, reason = "backticks would show in the help")]

use std::path::PathBuf;

use clap::{
    Args, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use meniscus::SurfaceOptions;
use meniscus_formats::{LoadOptions, Loaded, MeshFormat, ParticleFormat, load_scene};

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
  meniscus profile dam_break --steps 50

Exit status: 0 done; 1 the simulation, the device or an output failed; 2 the input was wrong;
3 there is no adapter.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Advances a scene frame by frame and writes particles, a log, checkpoints.
    Run(Run),
    /// Times every pass of a step.
    Profile(Profile),
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
    /// A file holds id, position in m, velocity in m/s and density in kg/m³ of every particle.
    /// ParaView opens all three.
    #[arg(long, value_name = "ply|vtk|csv", value_parser = particle_format())]
    pub(crate) particles: Option<ParticleFormat>,
    /// Writes the fluid's surface of every frame as a mesh: surface_00000.ply (.obj, .glb), …
    ///
    /// Blender, MeshLab and ParaView open them. The mesh is closed, also where the fluid touches a
    /// wall: there it ends on the wall. It has normals; --surface-speed adds the speed.
    #[arg(long, value_name = "ply|obj|glb", value_parser = mesh_format())]
    pub(crate) surface: Option<MeshFormat>,
    #[command(flatten)]
    pub(crate) surface_options: Surface,
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
    /// Rounds of smoothing (Taubin's, which keeps the volume), up to 32.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(SurfaceOptions::SMOOTHEST)))]
    surface_smoothing: u32,
    /// Value of the colour field on the surface, between 0 (outside) and 1 (inside).
    #[arg(long, value_name = "C", default_value_t = 0.6, value_parser = surface_value)]
    surface_value: f32,
    /// Gives the vertices the fluid's speed, as a number and as a colour.
    #[arg(long)]
    pub(crate) surface_speed: bool,
}

impl Surface {
    pub(crate) fn options(&self) -> SurfaceOptions {
        SurfaceOptions {
            fineness: self.surface_fineness,
            iso: self.surface_value,
            smoothing: self.surface_smoothing,
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

fn mesh_format() -> impl TypedValueParser<Value = MeshFormat> {
    let format = |name: String| MeshFormat::ALL.iter().find(|row| row.0 == name).map(|row| row.1);
    PossibleValuesParser::new(MeshFormat::ALL.iter().map(|(name, _)| *name))
        .try_map(move |name| format(name).ok_or("no such format"))
}

fn particle_format() -> impl TypedValueParser<Value = ParticleFormat> {
    let format =
        |name: String| ParticleFormat::ALL.iter().find(|row| row.0 == name).map(|row| row.1);
    PossibleValuesParser::new(ParticleFormat::ALL.iter().map(|(name, _)| *name))
        .try_map(move |name| format(name).ok_or("no such format"))
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
