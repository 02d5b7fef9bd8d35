//! The headless command `meniscus`, as a function: the program calls it, and so does the Python package.
//!
//! * `run` advances a scene frame by frame and writes particle files, a log and checkpoints;
//! * `render` draws a scene to images or a video;
//! * `profile` measures the cost of each pass of a step;
//! * `bench` measures all solvers in several sizes, and compares with an earlier run;
//! * `sweep` plans many runs of one scene with other values of its keys, does them, and makes one table;
//! * `waves` writes the motion of a piston that makes waves;
//! * `import` converts a scene of another program to the native format;
//! * `info` lists the adapters, `scenes` the bundled scenes.
//!
//! The command handles files, clocks and the terminal, which the library crate `meniscus` must not
//! do. It must not refer to passes or buffers by name: it times whatever the step's list contains.

mod adapter;
mod arguments;
mod astray;
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
mod sweep;
mod terminal;
mod waves;

use std::ffi::OsString;

use clap::Parser;

pub use adapter::HOW_TO_GET_ONE;
use arguments::{Arguments, Command};
use failure::Failure;
pub use sweep::{Sweep, SweepError, plan_sweep, run_of_sweep};

/// Runs the command with these arguments, the first of which is the program's name, and returns its exit status.
pub fn run_command(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    meniscus::blocking::leave_displays_alone();
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        // Help and the version are no errors to clap's users, but come as such.
        Err(error) => {
            let _ = error.print();
            return error.exit_code() as u8;
        }
    };
    match execute(&arguments.command) {
        Ok(()) => 0,
        Err(failure) => {
            terminal::complain("error", &failure.to_string());
            failure.exit_status()
        }
    }
}

fn execute(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Run(arguments) => run::run(arguments),
        Command::Render(arguments) => render::render(arguments),
        Command::Profile(arguments) => profile::profile(arguments),
        Command::Bench(arguments) => bench::bench(arguments),
        Command::Sweep(arguments) => sweep::sweep(arguments),
        Command::Waves(arguments) => waves::waves(arguments),
        Command::Import(arguments) => import::import(arguments),
        Command::Info { json } => info::info(*json),
        Command::Scenes(arguments) => scenes::scenes(arguments),
    }
}
