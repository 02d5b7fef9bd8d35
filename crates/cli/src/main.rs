//! The program `meniscus`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(meniscus_cli::run_command(std::env::args_os()))
}
