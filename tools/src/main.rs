//! Tools for people who work on meniscus.
//!
//! * `demo` opens the window, or makes a video where there is no display (`cargo demo`);
//! * `verify` runs every test on a GPU or on software Vulkan (`cargo verify`);
//! * `validate` compares whole simulations with theory and experiment: docs/validation.md;
//! * `performance` times the solvers and writes the table of docs/performance.md;
//! * `wgsl` writes every composed shader, as a browser's device gets it;
//! * `schema` writes the JSON Schema of scene files, for editors.
//!
//! `demo` and `verify` do their own set-up on a machine that has only a Rust toolchain. Nothing
//! here is needed to use meniscus, and nothing in meniscus depends on it.

mod cargo;
mod demo;
mod performance;
mod set_up;
mod validate;
mod verify;
mod wgsl;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

/// Tools for people who work on meniscus.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Opens a window with water; without a display, makes a video of a dam break.
    Demo {
        /// Make the video even if there is a display.
        #[arg(long, alias = "film")]
        video: bool,
    },
    /// Runs every test; fails where there is no adapter to run them on.
    Verify {
        /// Also runs the long tests.
        #[arg(long)]
        full: bool,
    },
    /// Compares whole simulations with theory and experiment; writes docs/validation.md and its plots.
    ///
    /// Ends with a failure where a bound is missed that was not known to be.
    Validate(validate::Options),
    /// Times all solvers in one scene, and writes the table of docs/performance.md.
    Performance(performance::Options),
    /// Writes every composed shader as DIR/sph/density.wgsl, …
    ///
    /// That is the text that a browser's device gets. A pass that has a variant with subgroup operations,
    /// which wgpu does not use in browsers, is written a second time, as DIR/sph/density.subgroup.wgsl.
    Wgsl {
        /// The folder, created where needed.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Has Tint, the compiler of Chrome, check each file: `tint` must be on the PATH.
        #[arg(long)]
        check: bool,
    },
    /// Writes the JSON Schema of scene files; docs/scene.schema.json is what it writes.
    Schema {
        /// The file.
        #[arg(long, value_name = "FILE", default_value = "docs/scene.schema.json")]
        out: PathBuf,
    },
}

fn schema(out: &Path) -> anyhow::Result<ExitCode> {
    let text = meniscus_formats::scene_schema() + "\n";
    meniscus_formats::write_whole(out, |file| file.write_all(text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Demo { video } => demo::demo(video),
        Command::Verify { full } => verify::verify(full),
        Command::Validate(options) => validate::validate(&options),
        Command::Performance(options) => performance::performance(&options),
        Command::Wgsl { out, check } => wgsl::wgsl(&out, check),
        Command::Schema { out } => schema(&out),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
