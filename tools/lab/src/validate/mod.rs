//! `lab validate`: whole simulations compared with theory, experiments and another program, as tables and plots.
//!
//! The cases are `conformance::physics`. The site's pages are made from the figures on record, and of the plots that a
//! run has left.

pub(crate) mod page;
mod plot;

use std::{path::PathBuf, process::ExitCode, time::Instant};

use anyhow::{Result, ensure};
use clap::Args;
use conformance::physics::{Case, Outcome, Settings, cases, recorded};
use indicatif::{ProgressBar, ProgressStyle};
use meniscus::{Gpu, GpuOptions, Registry, blocking, methods::Axis};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Run only this case. May be repeated.
    #[arg(long, value_name = "CASE")]
    only: Vec<String>,
    /// Run only this solver. May be repeated.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// Use the coarse resolutions of the tests.
    #[arg(long)]
    quick: bool,
    /// Use the coarse resolutions, with defaults for everything that a scene may leave out.
    #[arg(long, conflicts_with = "quick")]
    defaults: bool,
    /// Output folder for the plots.
    #[arg(long, value_name = "DIR", default_value = PLOTS)]
    plots: PathBuf,
    /// Write the values into figures.csv.
    #[arg(long, conflicts_with_all = ["quick", "defaults", "solver"])]
    record: bool,
}

/// Where `lab validate` leaves plots, and `lab site` takes them.
pub(crate) const PLOTS: &str = "target/validation";
const FIGURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/src/physics/figures.csv");

/// Result of a case with a solver.
struct Row {
    solver: &'static str,
    seconds: f64,
    result: Result<Outcome, meniscus::Error>,
}

impl Row {
    fn fails(&self) -> bool {
        self.result
            .as_ref()
            .map_or(true, |outcome| outcome.measures.iter().any(|m| m.check().is_err()))
    }
}

pub(crate) fn validate(options: &Options) -> Result<ExitCode> {
    let cases =
        chosen("case", &options.only, &cases().copied().collect::<Vec<_>>(), |case| case.name)?;
    let registry = Registry::standard();
    let known: Vec<_> = registry.names(Axis::Solver);
    let solvers = chosen("solver", &options.solver, &known, |solver| *solver)?;
    let resolution = match options {
        Options { defaults: true, .. } => Settings::Defaults,
        Options { quick: true, .. } => Settings::Coarse,
        _ => Settings::Fine,
    };
    let gpu = blocking::open(&GpuOptions::default())?;
    let fine = resolution == Settings::Fine;
    let mut failed = false;
    for case in cases.iter().filter(|case| case.coarse || fine) {
        let rows: Vec<Row> = case
            .solvers
            .iter()
            .filter(|solver| solvers.iter().any(|chosen| chosen == *solver))
            .map(|solver| run(&gpu, case, solver, resolution))
            .collect();
        failed |= rows.iter().any(Row::fails);
        let names: Vec<_> = rows.iter().map(|row| row.solver).collect();
        let cells = page::measured(&rows);
        println!("{}", page::table(&names, &cells));
        for row in &rows {
            if let Err(error) = &row.result {
                println!("`{}` **fails**: {error}", row.solver);
            }
        }
        if fine {
            plot::draw(case, &rows, &options.plots)?;
        }
        if options.record {
            let made = format!("{} on {}", page::resolutions(&rows), gpu.info().name);
            let text = std::fs::read_to_string(FIGURES)?;
            let text = recorded(&text, case.name, &made, &page::values(&cells));
            meniscus_formats::write_whole(FIGURES.as_ref(), |file| {
                file.write_all(text.as_bytes())
            })?;
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Items of `all` whose names were given; all if none was given.
fn chosen<T: Copy>(
    what: &str,
    names: &[String],
    all: &[T],
    name: impl Fn(&T) -> &'static str,
) -> Result<Vec<T>> {
    for given in names {
        let known: Vec<_> = all.iter().map(&name).collect();
        ensure!(
            known.contains(&given.as_str()),
            "there is no {what} “{given}”: expected one of {}",
            known.join(", ")
        );
    }
    let named = |item: &&T| names.is_empty() || names.iter().any(|given| given == name(item));
    Ok(all.iter().filter(named).copied().collect())
}

fn run(gpu: &Gpu, case: &Case, solver: &'static str, run: Settings) -> Row {
    let begin = Instant::now();
    let bar = ProgressBar::new(1000);
    if let Ok(style) = ProgressStyle::with_template("{msg:32} {wide_bar} {percent} %, ETA {eta}") {
        bar.set_style(style);
    }
    bar.set_message(format!("{}, {}", case.name, solver));
    let progress = |share: f64| bar.set_position((1000.0 * share) as u64);
    let result = case.run(gpu, solver, run, &progress);
    bar.finish_and_clear();
    eprintln!("{}, {}: {:.1} s", case.name, solver, begin.elapsed().as_secs_f64());
    Row { solver, seconds: begin.elapsed().as_secs_f64(), result }
}
