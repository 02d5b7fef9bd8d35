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
    meniscus::blocking::leave_displays_alone();
    match execute(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::complain("error", &failure.to_string());
            failure.exit_code()
        }
    }
}

fn execute(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Run(arguments) => run::run(arguments),
        Command::Render(arguments) => render::render(arguments),
        Command::Profile(arguments) => profile::profile(arguments),
        Command::Bench(arguments) => bench::bench(arguments),
        Command::Import(arguments) => import::import(arguments),
        Command::Info { json } => info::info(*json),
        Command::Scenes => scenes::scenes(),
    }
}
