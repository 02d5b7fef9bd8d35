//! Running Cargo and programs that it built.

use std::{
    env,
    path::PathBuf,
    process::{Command, ExitCode, ExitStatus},
};

use anyhow::{Context, Result, ensure};

/// The Cargo that runs this program.
#[must_use]
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Path of a program of this workspace: Cargo puts it next to this one.
///
/// # Errors
///
/// If the system does not tell where this program is.
pub fn built(program: &str) -> Result<PathBuf> {
    let this = env::current_exe().context("this program does not know where it is")?;
    Ok(this.with_file_name(format!("{program}{}", env::consts::EXE_SUFFIX)))
}

/// Builds programs of this workspace, with Cargo's output shown.
///
/// # Errors
///
/// If Cargo cannot be run, or a program cannot be built.
pub fn build(programs: &[&str]) -> Result<()> {
    let bins = programs.iter().flat_map(|program| ["--bin", program]);
    let status = run(cargo().args(["build", "--release"]).args(bins))?;
    ensure!(status.success(), "{} could not be built", programs.join(" and "));
    Ok(())
}

/// Runs a command to its end, with its output shown.
///
/// # Errors
///
/// If the command cannot be run.
pub fn run(command: &mut Command) -> Result<ExitStatus> {
    let name = command.get_program().display().to_string();
    command.status().with_context(|| format!("cannot run {name}"))
}

/// Exit status to pass on after a command that ended with `status`.
#[must_use]
pub fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    // A process ended by a signal has no code.
    ExitCode::from(code.unwrap_or(1))
}
