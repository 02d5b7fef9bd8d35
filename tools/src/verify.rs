//! `tools verify`: all tests on an adapter.

use std::{
    env,
    io::{BufRead, BufReader},
    process::{Command, ExitCode, ExitStatus, Stdio},
    time::Instant,
};

use anyhow::{Context, Result};
use tools::{
    cargo::{cargo, exit_code, run},
    set_up::{self, SetUp},
};

use crate::drivers::{self, Adapter};

pub(crate) fn verify(full: bool, adapter: Option<&str>) -> Result<ExitCode> {
    let begin = Instant::now();
    if let SetUp::Missing(text) = set_up::adapter()? {
        eprintln!("{text}");
        return Ok(ExitCode::from(set_up::NO_ADAPTER));
    }
    set_up::display()?;
    let mut failures = if full { conformance_elsewhere()? } else { Vec::new() };
    // The tests of the workspace read shaders from disk: whether those that programs embed are the same is
    // tested apart. Documentation's examples have a run of their own, since they take no options.
    let embedded = run(&mut test(&["--package", "meniscus-wgsl"]))?;
    // As a program, the module of Python lacks Python; `.ci/python` tests it.
    let mut tests = test(&["--workspace", "--exclude", "meniscus-python"]);
    tests.args(["--lib", "--bins", "--tests", "--no-fail-fast"]);
    let mut examples = test(&["--workspace", "--doc"]);
    for tests in [&mut tests, &mut examples] {
        tests.envs(adapter.map(|adapter| ("MENISCUS_ADAPTER", adapter)));
        if full {
            tests.env("MENISCUS_FULL", "1");
        }
    }
    let Outcome { status, slowest, failed } = timed(&mut tests)?;
    let examples = run(&mut examples)?;
    let parts = [(embedded, "embedded shaders"), (status, "the workspace"), (examples, "examples")];
    failures.extend(parts.iter().filter(|(s, _)| !s.success()).map(|(_, name)| (*name).to_owned()));
    if full {
        // Builds every dependency for itself, as a program outside the workspace does.
        let mut outside = cargo();
        outside.args(["run", "--release", "--manifest-path", "examples/own_method/Cargo.toml"]);
        if !run(&mut outside)?.success() {
            failures.push("the program outside the workspace".to_owned());
        }
    }
    if !slowest.is_empty() {
        println!("slowest tests:");
        slowest.iter().for_each(|(seconds, name)| println!("{seconds:>8.1} s  {name}"));
    }
    if !failed.is_empty() {
        println!("failed tests:");
        failed.iter().for_each(|name| println!("    {name}"));
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

/// Number of tests whose times are printed.
const SLOWEST: usize = 10;

/// What came of tests.
struct Outcome {
    status: ExitStatus,
    /// The slowest and their times in s.
    slowest: Vec<(f64, String)>,
    /// Names of those that failed, and of the last ones that passed before a program of tests crashed.
    failed: Vec<String>,
}

/// Runs tests with their output shown. Times are known where Rust's test harness can be asked for them: the option is
/// not stable, and the variable that allows it nevertheless must not reach the compiler.
fn timed(tests: &mut Command) -> Result<Outcome> {
    if !cfg!(unix) {
        return Ok(Outcome { status: run(tests)?, slowest: Vec::new(), failed: Vec::new() });
    }
    let runner = r#"target.'cfg(unix)'.runner = ["env", "RUSTC_BOOTSTRAP=1"]"#;
    tests.args(["--config", runner, "--", "-Zunstable-options", "--report-time"]);
    let mut child = tests.stdout(Stdio::piped()).spawn().context("cannot run cargo")?;
    let mut times = Vec::new();
    let mut lines = Vec::new();
    for line in BufReader::new(child.stdout.take().context("no output")?).lines() {
        let line = line?;
        println!("{line}");
        times.extend(time_of(&line));
        lines.push(line);
    }
    times.sort_by(|a: &(f64, String), b| b.0.total_cmp(&a.0));
    times.truncate(SLOWEST);
    Ok(Outcome { status: child.wait()?, slowest: times, failed: failures(&lines) })
}

/// Names of tests that failed, from the lines of all programs of tests. One that began and did not report its result
/// has crashed, in one of the tests that ran after those of its lines.
fn failures(lines: &[String]) -> Vec<String> {
    let mut failed = Vec::new();
    let mut last: Option<&str> = None;
    let crash = |last: &str| format!("a crash in a test after {last}");
    for line in lines {
        if line.starts_with("running ") {
            failed.extend(last.replace("the first").map(crash));
        } else if line.starts_with("test result: ") {
            last = None;
        } else if let Some((name, result)) =
            line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "))
        {
            last = Some(name);
            failed.extend(result.starts_with("FAILED").then(|| name.to_owned()));
        }
    }
    failed.extend(last.map(crash));
    failed
}

/// Time and name of a test, from the line that reports it: `test loops::scans ... ok <1.234s>`.
fn time_of(line: &str) -> Option<(f64, String)> {
    let (name, result) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let (_, time) = result.split_once('<')?;
    Some((time.strip_suffix("s>")?.parse().ok()?, name.to_owned()))
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
        let mut tests = test(&["--workspace", "--test", "suite", "conformance::"]);
        tests.envs(drivers::only(&manifest)).env("MENISCUS_ADAPTER", number);
        if !run(&mut tests)?.success() {
            failures.push(format!("conformance on {name}"));
        }
    }
    Ok(failures)
}

/// Prints the changes of passes' shaders that their comparison does not notice: `lab mutants`.
pub(crate) fn mutants(passes: &[String]) -> Result<ExitCode> {
    if let SetUp::Missing(text) = set_up::adapter()? {
        eprintln!("{text}");
        return Ok(ExitCode::from(set_up::NO_ADAPTER));
    }
    let mut lab = cargo();
    lab.args(["run", "--release", "--bin", "lab", "--", "mutants"]).args(passes);
    Ok(exit_code(run(&mut lab)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_tests_and_crashed_programs_are_named() {
        let lines = [
            "running 2 tests",
            "test sort::ranks ... ok <1.250s>",
            "test sort::counts ... FAILED <0.100s>",
            "test result: FAILED. 1 passed; 1 failed",
            "running 3 tests",
            "test mpm::deform ... ok <0.300s>",
            "running 1 test",
            "test loops::scans ... ok <1.250s>",
            "test result: ok. 1 passed",
        ];
        let failed = failures(&lines.map(str::to_owned));
        assert_eq!(failed, ["sort::counts", "a crash in a test after mpm::deform"]);
        assert!(
            failures(&["running 1 test", "test result: ok. 1 passed"].map(str::to_owned))
                .is_empty()
        );
    }

    #[test]
    fn times_of_tests_are_read_from_their_lines() {
        let line = "test loops::scans ... ok <1.250s>";
        assert_eq!(time_of(line), Some((1.25, "loops::scans".to_owned())));
        assert_eq!(time_of("test loops::scans ... ignored"), None);
        assert_eq!(time_of("test result: ok. 3 passed"), None);
    }
}
