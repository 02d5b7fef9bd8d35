//! The command line. Its doc comments are the help text.

#![allow(clippy::doc_markdown, reason = "backticks would show in the help")]

mod bench;
mod render;
mod run;
mod surface;
mod sweep;
mod waves;

use std::{path::PathBuf, str::FromStr};

use clap::{
    Args, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use meniscus::{Quantity, Registry};
use meniscus_formats::{LoadOptions, Loaded, load_scene, load_text};

use crate::{Failure, terminal};
pub(crate) use bench::{Bench, Profile};
pub(crate) use render::Render;
pub(crate) use run::Run;
pub(crate) use surface::{SurfaceArguments, SurfaceFormat};
pub(crate) use sweep::{Merge, Sweep, SweepCommand};
pub(crate) use waves::{Table as WaveTable, WaveKind, Waves};

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
    /// Draw a scene, the files of a run or a checkpoint as an image, a video or a folder of images.
    ///
    /// In place of a scene, name the folder that `meniscus run --particles` or `--surface` wrote, or one of its files, or a
    /// checkpoint: it is drawn without simulating again.
    Render(Render),
    /// Measure the time of every pass of a step.
    Profile(Profile),
    /// Measure all solvers and the surface in several sizes, and compare with an earlier run.
    ///
    /// The scene is dam_break, from rest. Each case is a simulation of its own: a solver with a particle
    /// radius, or the extraction of the surface after a few steps of Müller's method. The result is a
    /// Markdown table on standard output. Other programs on the same machine disturb it.
    Bench(Bench),
    /// Plan many runs of one scene with other values of its keys, do them, and make one table.
    ///
    /// All that is known about a sweep is in its folder, so any scheduler can do the runs, in any order, at the same time
    /// and on several machines.
    Sweep(Sweep),
    /// Write the motion of a piston that makes waves, as a table for a scene.
    ///
    /// A note on standard error says how long the waves are and how far the piston moves.
    Waves(Waves),
    /// Convert a scene of SPlisHSPlasH to the native format.
    Import(Import),
    /// List the GPU adapters and their capabilities.
    ///
    /// The exit status is 3 if none of them can be used.
    Info {
        /// Print JSON, which also names the adapter that is chosen where none is named.
        #[arg(long)]
        json: bool,
    },
    /// List the bundled scenes, or print one, to begin one's own from.
    ///
    /// Commands accept their names in place of a scene file.
    Scenes(Scenes),
}

/// `meniscus scenes`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  A scene of one's own, from a bundled one:
    meniscus scenes dam_break > mine.toml
    meniscus run mine.toml --until 0.1
  What can be in it, every key with its default:
    meniscus scenes --keys")]
pub(crate) struct Scenes {
    /// Bundled scene whose file is printed.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Write the scene, NAME.toml, and the meshes that it reads to this folder instead; files that are there stay as they are.
    #[arg(long, value_name = "DIR", requires = "name")]
    pub(crate) out: Option<PathBuf>,
    /// Print a scene with every key of scene files, explained, with its unit and default.
    #[arg(long, conflicts_with = "name")]
    pub(crate) keys: bool,
    /// Print the JSON Schema of scene files, by which editors complete and check them.
    #[arg(long, conflicts_with_all = ["name", "keys"])]
    pub(crate) schema: bool,
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
    /// Keys are those of the native format (`meniscus scenes --keys` lists them), also for imported scenes; values
    /// are TOML, and KEY= removes a key. May be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    pub(crate) device: Device,
}

/// The adapter and its use.
#[derive(Clone, Debug, Args)]
pub(crate) struct Device {
    /// GPU adapter, by number or part of its name as listed by `meniscus info`, or by its PCI address, as in
    /// pci:0000:65:00.0.
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
    scene: &meniscus::Scene,
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
        self.warned(load_scene(&self.source, &options)?)
    }

    /// What is named: a scene file, the name of a bundled scene, or what a run has left.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Reads another scene with the options of this one: a file, or text with the name of its file.
    pub(crate) fn load_other(
        &self,
        source: &str,
        text: Option<&str>,
        more: &[String],
    ) -> Result<Loaded, Failure> {
        let set = [&self.set[..], more].concat();
        let options = LoadOptions { solver: self.solver.clone(), set };
        self.warned(match text {
            Some(text) => load_text(source, text, &options)?,
            None => load_scene(source, &options)?,
        })
    }

    /// Prints the warnings of a scene.
    fn warned(&self, loaded: Loaded) -> Result<Loaded, Failure> {
        for warning in &loaded.warnings {
            terminal::complain("warning", &format!("{}: {warning}", loaded.source));
        }
        loaded.sample_meshes();
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

/// Parser for one of a list of values by its name.
fn named<T>(all: &[T]) -> impl TypedValueParser<Value = T> + use<T>
where
    T: Copy + Into<&'static str> + FromStr + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync,
{
    PossibleValuesParser::new(all.iter().map(|value| -> &'static str { (*value).into() }))
        .try_map(|name| name.parse::<T>())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
