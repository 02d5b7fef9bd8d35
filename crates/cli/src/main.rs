//! The headless command `meniscus`.
//!
//! * `run` advances a scene frame by frame and writes particle files, a log and checkpoints;
//! * `render` draws a scene to images or a video;
//! * `profile` measures the cost of each pass of a step;
//! * `bench` measures all solvers in several sizes, and compares with an earlier run;
//! * `import` converts a scene of another program to the native format;
//! * `info` lists the adapters, `scenes` the bundled scenes.
//!
//! The command handles files, clocks and the terminal, which the library crate `meniscus` must not
//! do. It must not refer to passes or buffers by name: it times whatever the step's list contains.

mod adapter;
mod arguments;
mod bench;
mod failure;
mod files;
mod import;
mod info;
mod measure;
mod profile;
mod progress;
mod render;
mod run;
mod scenes;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use failure::Failure;

fn main() -> ExitCode {
    leave_displays_alone();
    match execute(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::complain("error", &failure.to_string());
            failure.exit_code()
        }
    }
}

/// Keeps Mesa's device-select layer out of the process. The layer only asks X and Wayland which
/// adapter they draw on; without either, libwayland prints an unrelated error. Users who set the
/// layer's own variables keep it.
#[allow(unsafe_code, reason = "no other thread runs yet that could read the environment")]
fn leave_displays_alone() {
    let steered = ["NODEVICE_SELECT", "DRI_PRIME", "MESA_VK_DEVICE_SELECT"];
    if steered.iter().all(|name| std::env::var_os(name).is_none()) {
        // SAFETY: main has just begun, and this is its only thread.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

fn execute(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Run(arguments) => run::run(arguments),
        Command::Render(arguments) => render::render(arguments),
        Command::Profile(arguments) => profile::profile(arguments),
        Command::Bench(arguments) => bench::bench(arguments),
        Command::Import(arguments) => import::import(arguments),
        Command::Info => info::info(),
        Command::Scenes => scenes::scenes(),
    }
}
