//! The headless command `meniscus`.
//!
//! * `run` advances a scene frame by frame and leaves particle files, a log and checkpoints;
//! * `profile` says what each pass of a step costs;
//! * `import` turns a scene of another program into a native one;
//! * `info` lists the adapters, `scenes` the bundled scenes.
//!
//! The command knows files, clocks and the terminal, which the library crate `meniscus` must not.
//! It must not know passes or buffers by name: whatever the step's list holds is what it times.

mod adapter;
mod arguments;
mod executor;
mod failure;
mod files;
mod import;
mod info;
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
        Command::Import(arguments) => import::import(arguments),
        Command::Info => info::info(),
        Command::Scenes => scenes::scenes(),
    }
}
