//! The command line. Its doc comments are the help text.

#![allow(clippy::doc_markdown, reason = "backticks would show in the help")]

use std::{path::PathBuf, str::FromStr};

use clap::Parser;
use meniscus_formats::LoadOptions;

use crate::picture::Mode;

/// An interactive window with a running fluid simulation.
///
/// Drag with the left button to pull the water, with the right button to turn the camera; F1 lists
/// all keys. Drop a scene file onto the window to open it.
#[derive(Clone, Debug, Parser)]
#[command(name = "demos", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Scene file (.toml, or .json of SPlisHSPlasH), or the name of a bundled scene.
    ///
    /// `meniscus scenes` lists the bundled scenes; the window has a menu of them.
    #[arg(value_name = "SCENE", default_value = meniscus_live::FIRST)]
    pub(crate) scene: String,
    /// Approximate number of particles, or of cells of smoke; sets the scene's particle_radius or smoke.cell.
    ///
    /// By default a scene keeps its own size, except that flip_dam has 300,000 particles, and that
    /// software adapters get at most 10,000, or 80,000 cells.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64_000_000))]
    pub(crate) particles: Option<u32>,
    /// Pressure solver, in place of the scene's own.
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Set a key of the scene, as in --set gravity=[0,-1.6,0]. May be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// View mode.
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub(crate) view: Option<Mode>,
    /// Quantity that colours the particles.
    ///
    /// `meniscus render --help` lists the quantities.
    #[arg(long, value_name = "QUANTITY")]
    pub(crate) color: Option<String>,
    /// Start with the simulation paused.
    #[arg(long)]
    pub(crate) paused: bool,
    /// GPU adapter, by number or part of its name as listed by `meniscus info`.
    ///
    /// The environment variable WGPU_BACKEND (vulkan, metal, dx12) restricts the choice.
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
    /// Window size in pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size)]
    pub(crate) size: (u32, u32),
    /// Reload the simulation's shaders in this folder when they are saved (default: the source
    /// tree's wgsl/).
    ///
    /// The simulation resumes where it was. While a shader does not compile, the last version that
    /// did stays in use, and the window shows the error with its file and line.
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    #[arg(default_missing_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../wgsl"))]
    pub(crate) watch: Option<PathBuf>,
    /// Output folder for screenshots, videos and traces.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
    /// Exit after drawing this number of pictures of the simulation.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) frames: Option<u64>,
    /// With --frames: save the last picture as a PNG file.
    #[arg(long, value_name = "FILE", requires = "frames")]
    pub(crate) screenshot: Option<PathBuf>,
    /// Start with the controls hidden.
    #[arg(long)]
    pub(crate) bare: bool,
    /// Destroy the device after drawing this number of pictures, to test recovery.
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) lose_device: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  demos                                    # a dam break over blocks, with foam
  demos pour --particles 20000
  demos dam_break --view surface --size 1920x1080
  demos my_scene.toml --watch              # reloads shaders as they are saved

Exit status: 0 success; 1 the simulation, the device or an output failed; 2 invalid input; 3 no
display or no suitable adapter.";

impl Arguments {
    /// Options for loading the first scene.
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

fn named<T: Copy + Into<&'static str> + FromStr>(all: &[T], text: &str) -> Result<T, String> {
    let names: Vec<&str> = all.iter().map(|value| (*value).into()).collect();
    text.parse().map_err(|_| format!("expected one of {}", names.join(", ")))
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
