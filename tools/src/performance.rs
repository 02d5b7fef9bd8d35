//! `tools performance`: the table of docs/performance.md, made by one command.

use std::{
    fs,
    path::PathBuf,
    process::{Command, ExitCode},
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use meniscus::model::methods::{Axis, Registry};
use serde::Deserialize;

use crate::cargo::{built, cargo, run};

/// Lines of the page that enclose the table.
const MARKS: [&str; 2] = ["<!-- table of `tools performance` -->", "<!-- end of the table -->"];

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Scene file, or name of a bundled scene, for all solvers.
    #[arg(long, default_value = "dam_break")]
    scene: String,
    /// Number of steps to time for each solver, after a warm-up of a fifth as many (at least 5).
    #[arg(long, default_value_t = 20)]
    steps: u32,
    /// Page whose table is replaced.
    #[arg(long, value_name = "FILE", default_value = "docs/performance.md")]
    out: PathBuf,
}

/// Values of `meniscus profile --json` that the table shows.
#[derive(Debug, Deserialize)]
struct Profile {
    adapter: String,
    driver: String,
    particles: u32,
    neighbours_per_particle: f64,
    particle_steps_per_second: f64,
    step_median_us: f64,
    step_p95_us: f64,
    dt_mean: f64,
    passes: Vec<Pass>,
    loops: Vec<Loop>,
}

#[derive(Debug, Deserialize)]
struct Pass {
    label: String,
    calls: f64,
    median_us: f64,
}

#[derive(Debug, Deserialize)]
struct Loop {
    iterations_mean: f64,
}

pub(crate) fn performance(options: &Options) -> Result<ExitCode> {
    let page = fs::read_to_string(&options.out)
        .with_context(|| format!("cannot read {}", options.out.display()))?;
    // Check the page before minutes of measuring.
    replaced(&page, "").with_context(|| format!("in {}", options.out.display()))?;
    let status = run(cargo().args(["build", "--release", "--package", "meniscus-cli"]))?;
    ensure!(status.success(), "the command `meniscus` could not be built");
    let mut profiles = Vec::new();
    for solver in Registry::standard().names(Axis::Pressure) {
        eprintln!(
            "$ meniscus profile {} --solver {solver} --steps {}",
            options.scene, options.steps
        );
        profiles.push((solver, profile(options, solver)?));
    }
    let text = table(options, &profiles, &commit()?, &today());
    print!("{text}");
    let page = replaced(&page, &text)?;
    meniscus_formats::write_whole(&options.out, |file| file.write_all(page.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

fn profile(options: &Options, solver: &str) -> Result<Profile> {
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("profile.json");
    let mut command = Command::new(built("meniscus")?);
    command.args(["profile", &options.scene, "--solver", solver]);
    command.args(["--steps", &options.steps.to_string(), "--json"]).arg(&json);
    let output = command.output().context("cannot run meniscus")?;
    let words = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "meniscus profile fails: {words}");
    Ok(serde_json::from_str(&fs::read_to_string(&json)?)?)
}

/// Heading line and table, in Markdown.
fn table(options: &Options, profiles: &[(&str, Profile)], commit: &str, date: &str) -> String {
    let Some((_, first)) = profiles.first() else { return String::new() };
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([
        "solver",
        "particles",
        "neighbours",
        "step, median",
        "p95",
        "iterations",
        "particle-steps/s",
        "Δt",
        "a simulated second",
        "costliest passes",
    ]);
    for column in table.column_iter_mut().skip(1).take(8) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for (solver, profile) in profiles {
        let step = profile.step_median_us / 1e6;
        let iterations = profile.loops.iter().map(|found| format!("{:.1}", found.iterations_mean));
        table.add_row([
            (*solver).to_owned(),
            profile.particles.to_string(),
            format!("{:.1}", profile.neighbours_per_particle),
            format!("{:.1} ms", 1e3 * step),
            format!("{:.1} ms", profile.step_p95_us / 1e3),
            iterations.collect::<Vec<_>>().join(" + "),
            format!("{:.2} M", profile.particle_steps_per_second / 1e6),
            format!("{:.3} ms", 1e3 * profile.dt_mean),
            format!("{:.0} s", step / profile.dt_mean),
            costliest(&profile.passes),
        ]);
    }
    format!(
        "Commit {commit}, {date}, on {} ({}): `{}`, {} steps of each solver.\n\n{}\n",
        first.adapter,
        first.driver,
        options.scene,
        options.steps,
        table.trim_fmt(),
    )
}

/// The three passes that take most of the time, with their shares.
fn costliest(passes: &[Pass]) -> String {
    let time = |pass: &Pass| pass.calls * pass.median_us;
    let all: f64 = passes.iter().map(time).sum();
    let mut passes: Vec<_> = passes.iter().collect();
    passes.sort_by(|a, b| time(b).total_cmp(&time(a)));
    let share = |pass: &&Pass| {
        // The terms of a fused pass would fill the cell.
        let name = pass.label.split('+').next().unwrap_or_default();
        format!("`{name}` {:.0} %", 100.0 * time(pass) / all)
    };
    passes.iter().take(3).map(share).collect::<Vec<_>>().join(", ")
}

/// The page with another table between its marks.
fn replaced(page: &str, table: &str) -> Result<String> {
    let split = page
        .split_once(MARKS[0])
        .and_then(|(before, rest)| Some((before, rest.split_once(MARKS[1])?.1)));
    let (before, after) = split
        .with_context(|| format!("the lines `{}` and `{}` are missing", MARKS[0], MARKS[1]))?;
    Ok(format!("{before}{}\n\n{table}\n{}{after}", MARKS[0], MARKS[1]))
}

/// Commit of the working tree, and whether the tree has been changed since.
fn commit() -> Result<String> {
    let git = |arguments: &[&str]| -> Result<String> {
        let output = Command::new("git").args(arguments).output().context("cannot run git")?;
        ensure!(output.status.success(), "git {} fails", arguments.join(" "));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    let changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    Ok(if changed { commit + " with changes" } else { commit })
}

fn today() -> String {
    jiff::Timestamp::now().strftime("%F").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_solver_and_stands_between_its_marks() {
        let profile = || Profile {
            adapter: "an adapter".into(),
            driver: "its driver".into(),
            particles: 1000,
            neighbours_per_particle: 26.8,
            particle_steps_per_second: 2e6,
            step_median_us: 500.0,
            step_p95_us: 700.0,
            dt_mean: 0.001,
            passes: [("a", 1.0, 100.0), ("b", 3.0, 100.0)]
                .map(|(label, calls, median_us)| Pass { label: label.into(), calls, median_us })
                .into(),
            loops: vec![Loop { iterations_mean: 2.0 }, Loop { iterations_mean: 3.5 }],
        };
        let options = Options { scene: "dam_break".into(), steps: 20, out: PathBuf::new() };
        let solvers = Registry::standard().names(Axis::Pressure);
        let profiles = solvers.iter().map(|solver| (*solver, profile()));
        let text = table(&options, &profiles.collect::<Vec<_>>(), "abc1234", "2026-01-31");
        assert!(
            text.starts_with("Commit abc1234, 2026-01-31, on an adapter (its driver)"),
            "{text}"
        );
        for solver in solvers {
            let row = text.lines().find(|line| line.starts_with(&format!("| {solver} ")));
            let cells: Vec<_> = row.expect("a row").split('|').map(str::trim).collect();
            assert_eq!(cells[4..7], ["0.5 ms", "0.7 ms", "2.0 + 3.5"]);
            assert_eq!(cells[10], "`b` 75 %, `a` 25 %");
        }
        let page = format!("before\n{}\nold\n{}\nafter\n", MARKS[0], MARKS[1]);
        let page = replaced(&page, &text).expect("marks");
        assert!(page.contains(&text) && !page.contains("old") && page.ends_with("\nafter\n"));
        assert!(replaced("no marks", "").is_err());
        let page =
            fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/performance.md"));
        replaced(&page.expect("the page"), "").expect("its marks");
    }

    #[test]
    fn dates_are_iso() {
        assert_eq!(today().len(), 10);
    }
}
