//! `tools verify`: all tests on an adapter, or mutation tests of the shaders.

use std::{
    env,
    process::{Command, ExitCode},
    thread,
    time::Instant,
};

use anyhow::{Result, anyhow, ensure};
use conformance::mutants::Plan;
use indicatif::{ProgressBar, ProgressStyle};
use meniscus::passes;

use crate::{
    cargo::{cargo, exit_code, run},
    drivers::{self, Adapter},
    set_up::{self, SetUp},
};

pub(crate) fn verify(full: bool, adapter: Option<&str>) -> Result<ExitCode> {
    if let SetUp::Missing(text) = set_up::adapter()? {
        eprintln!("{text}");
        return Ok(ExitCode::from(set_up::NO_ADAPTER));
    }
    set_up::display()?;
    let begin = Instant::now();
    let mut failures = if full { conformance_elsewhere()? } else { Vec::new() };
    // This also builds the command `meniscus`, which tests run.
    let mut tests = test(&["--workspace"]);
    tests.envs(adapter.map(|adapter| ("MENISCUS_ADAPTER", adapter)));
    if full {
        tests.env("MENISCUS_FULL", "1");
    }
    let status = run(&mut tests)?;
    if !status.success() {
        failures.push("the workspace".into());
    }
    let seconds = begin.elapsed().as_secs();
    let time = format!("{} min {:02} s, build included", seconds / 60, seconds % 60);
    if failures.is_empty() {
        println!("verified in {time}");
        return Ok(ExitCode::SUCCESS);
    }
    println!("NOT verified in {time}: failed tests: {}", failures.join("; "));
    Ok(if status.success() { ExitCode::FAILURE } else { exit_code(status) })
}

fn test(packages: &[&str]) -> Command {
    let mut test = cargo();
    test.args(["test", "--release"]).args(packages).env("MENISCUS_GPU", "require");
    if env::var_os("LP_NUM_THREADS").is_none() {
        // Tests use two devices at once: one worker thread of software Vulkan for each.
        test.env("LP_NUM_THREADS", "1");
    }
    test
}

/// Compares each pass with its twin on every adapter of every Vulkan driver; returns the adapters
/// on which a test fails.
fn conformance_elsewhere() -> Result<Vec<String>> {
    let mut failures = Vec::new();
    let adapters = drivers::adapters()?;
    println!("{} Vulkan adapters:", adapters.len());
    for Adapter { name, manifest, .. } in &adapters {
        println!("  {name} ({})", manifest.display());
    }
    for Adapter { name, manifest, number } in adapters {
        println!("\nConformance on {name}");
        let mut tests = test(&["--package", "conformance", "--test", "suite", "conformance::"]);
        tests.envs(drivers::only(&manifest)).env("MENISCUS_ADAPTER", number);
        if !run(&mut tests)?.success() {
            failures.push(format!("conformance on {name}"));
        }
    }
    Ok(failures)
}

/// Prints the changes of passes' shaders that their comparison does not notice.
pub(crate) fn mutants(passes: Vec<String>) -> Result<ExitCode> {
    for pass in &passes {
        ensure!(passes::find(pass).is_some(), "no pass is named `{pass}`");
    }
    if let SetUp::Missing(text) = set_up::adapter()? {
        eprintln!("{text}");
        return Ok(ExitCode::from(set_up::NO_ADAPTER));
    }
    let bar = ProgressBar::no_length();
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} passes, {elapsed}  {msg}")?);
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get().min(4));
    let plan = Plan { passes, threads };
    let report = conformance::mutants::run(&plan, |pass, [done, all], report| {
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
