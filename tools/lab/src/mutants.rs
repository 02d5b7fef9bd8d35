//! `lab mutants`: mutation tests of the shaders.

use std::{process::ExitCode, thread};

use anyhow::{Result, anyhow, ensure};
use conformance::mutants::{self, Plan};
use indicatif::{ProgressBar, ProgressStyle};

/// Prints the changes of passes' shaders that their comparison does not notice.
pub(crate) fn mutants(passes: Vec<String>) -> Result<ExitCode> {
    for pass in &passes {
        ensure!(mutants::passes().any(|known| known == pass), "no pass is named `{pass}`");
    }
    let bar = ProgressBar::no_length();
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} passes, {elapsed}  {msg}")?);
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get().min(4));
    let plan = Plan { passes, threads };
    let report = mutants::run(&plan, |pass, [done, all], report| {
        let left = report.survivors().count();
        if bar.is_hidden() {
            println!("{done} of {all} passes: {left} not noticed  {pass}");
        }
        bar.set_length(all as u64);
        bar.set_position(done as u64);
        bar.set_message(format!("{left} not noticed  {pass}"));
    });
    bar.finish_and_clear();
    let report = report.map_err(|error| anyhow!(error))?;
    for mutant in report.survivors() {
        println!("not noticed: {mutant}");
    }
    println!("{report}");
    Ok(ExitCode::SUCCESS)
}
