//! The command line. Its doc comments are the help text.

#![allow(clippy::doc_markdown, reason = "backticks would show in the help")]

use std::path::PathBuf;

use clap::Parser;
use meniscus_formats::LoadOptions;

use crate::picture::{ColorBy, Mode};

/// Water to see and touch: a window with a running simulation.
///
/// Drag with the left button to pull the water, with the right one to look around; F1 lists
/// everything else. Scene files can be dropped onto the window.
#[derive(Clone, Debug, Parser)]
#[command(name = "demos", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A scene file (.toml; .json for SPlisHSPlasH's), or the name of a bundled scene.
    ///
    /// `meniscus scenes` lists the bundled ones; the window has them in a menu.
    #[arg(value_name = "SCENE", default_value = "dam_break")]
    pub(crate) scene: String,
    /// About how many particles the scene gets, by its particle_radius.
    ///
    /// Where absent, scenes have their own size, but dam_break has 300,000 particles, and a
    /// software adapter gets 10,000 at most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64_000_000))]
    pub(crate) particles: Option<u32>,
    /// The pressure solver, in place of the scene's own.
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Sets a key of the scene, as in --set gravity=[0,-1.6,0]. May be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// How the fluid is drawn.
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub(crate) view: Option<Mode>,
    /// What particles are coloured by.
    #[arg(long, value_name = "QUANTITY", value_parser = color)]
    pub(crate) color: Option<ColorBy>,
    /// Starts with the simulation paused.
    #[arg(long)]
    pub(crate) paused: bool,
    /// The adapter, by number or part of its name as `meniscus info` lists them.
    ///
    /// The environment variable WGPU_BACKEND (vulkan, metal, dx12) narrows the choice before.
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
    /// Size of the window in pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size)]
    pub(crate) size: (u32, u32),
    /// Reloads the simulation's shaders in this folder (default: the source tree's wgsl/) as they
    /// are saved.
    ///
    /// The simulation goes on where it was. While a shader does not compile, the last good one
    /// stays, and the window shows the error with its file and line.
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    #[arg(default_missing_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../wgsl"))]
    pub(crate) watch: Option<PathBuf>,
    /// The folder for screenshots, films and traces.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
    /// Ends after so many drawn pictures of the simulation.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) frames: Option<u64>,
    /// With --frames: saves the last picture as PNG.
    #[arg(long, value_name = "FILE", requires = "frames")]
    pub(crate) screenshot: Option<PathBuf>,
    /// Opens without the panel of controls.
    #[arg(long)]
    pub(crate) bare: bool,
    /// Destroys the device after so many drawn pictures: for the test of what happens then.
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) lose_device: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  demos                                    # the dam break
  demos pour --particles 20000
  demos dam_break --view surface --size 1920x1080
  demos my_scene.toml --watch              # reloads shaders as they are saved

Exit status: 0 done; 1 the device or an output failed; 2 the input was wrong; 3 there is no
display or no adapter.";

impl Arguments {
    /// What the command line says about the first scene.
    pub(crate) fn load_options(&self) -> LoadOptions {
        LoadOptions { solver: self.solver.clone(), set: self.set.clone() }
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once(['x', 'X', '×']).and_then(|(width, height)| {
        Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
    });
    match parsed {
        Some(size @ (160..=16384, 120..=16384)) => Ok(size),
        Some(_) => Err("expected at least 160x120 and at most 16384x16384".into()),
        None => Err("expected WIDTHxHEIGHT, as in 1280x800".into()),
    }
}

fn mode(text: &str) -> Result<Mode, String> {
    named(Mode::ALL, text)
}

fn color(text: &str) -> Result<ColorBy, String> {
    named(ColorBy::ALL, text)
}

fn named<T: Copy>(all: &[(&str, T)], text: &str) -> Result<T, String> {
    let found = all.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    found.ok_or_else(|| format!("expected one of {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!(size("640x360"), Ok((640, 360)));
        for text in ["640", "x", "640x", "-1x5", "0x0", "99999999x1"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
