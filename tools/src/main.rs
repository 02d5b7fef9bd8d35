//! `cargo demo` and `cargo verify`.
//!
//! * `demo` opens the window, or renders a video without a display (`cargo demo`);
//! * `verify` runs all tests on a GPU or on software Vulkan (`cargo verify`);
//! * `drivers` lists the Vulkan drivers of the machine.
//!
//! `demo` and `verify` also set up a machine that has only a Rust toolchain. Nothing here is needed
//! to use meniscus, and nothing in meniscus depends on it. What developers need besides is in `lab`.

mod demo;
mod drivers;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The demo and the tests of meniscus.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open a window with a dam break; without a display, render a video.
    Demo {
        /// Render the video even if there is a display.
        #[arg(long, alias = "film")]
        video: bool,
    },
    /// Run all tests; fails without an adapter.
    Verify {
        /// Also run the long tests, the tests of single passes on every Vulkan driver, and a program outside the workspace.
        #[arg(long)]
        full: bool,
        /// Instead, change these passes, as sph/density, in one place at a time, and print the changes that
        /// their comparison with the reference does not notice. Takes seconds to minutes for each; all
        /// passes by default.
        #[arg(long, value_name = "PASS", num_args = 0.., conflicts_with = "full")]
        mutants: Option<Vec<String>>,
        /// Adapter for the tests: number or part of the name, as listed by `meniscus info`.
        #[arg(long, env = "MENISCUS_ADAPTER", value_name = "NAME")]
        adapter: Option<String>,
    },
    /// List the adapters of all Vulkan drivers of the machine and its browsers, with versions.
    Drivers,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Demo { video } => demo::demo(video),
        Command::Verify { mutants: Some(passes), .. } => verify::mutants(&passes),
        Command::Verify { full, adapter, .. } => verify::verify(full, adapter.as_deref()),
        Command::Drivers => drivers::drivers(),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
