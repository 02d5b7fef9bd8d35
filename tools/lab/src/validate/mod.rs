//! `lab validate`: whole simulations compared with theory, experiments and another program, as
//! tables and plots in docs/validation_*.md.
//!
//! The cases are `conformance::physics`; each has its own section of the page, between markers.

mod page;
mod plot;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use anyhow::{Result, ensure};
use clap::Args;
use conformance::physics::{CASES, Case, Outcome, Settings};
use indicatif::{ProgressBar, ProgressStyle};
use meniscus::{
    Gpu, GpuOptions, blocking,
    model::methods::{Axis, Registry},
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Run only this case. May be repeated.
    #[arg(long, value_name = "CASE")]
    only: Vec<String>,
    /// Run only this solver. May be repeated. The page is not changed.
    #[arg(long, value_name = "SOLVER")]
    solver: Vec<String>,
    /// Use the coarse resolutions of the tests. The page is not changed.
    #[arg(long)]
    quick: bool,
    /// Use the coarse resolutions, with defaults for everything that a scene may leave out. The
    /// page is not changed.
    #[arg(long, conflicts_with = "quick")]
    defaults: bool,
    /// Output folder for the plots, instead of docs. The page is not changed.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

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
    let cases = chosen("case", &options.only, CASES, |case| case.name)?;
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
    let whole = options.solver.is_empty() && options.plots.is_none() && fine;
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
    let pictures = match &options.plots {
        Some(folder) => Some(folder.clone()),
        None => whole.then(|| docs.join("pictures/validation")),
    };
    let mut failed = false;
    for case in cases.iter().filter(|case| case.coarse || fine) {
        let rows: Vec<Row> = case
            .solvers
            .iter()
            .filter(|solver| solvers.iter().any(|chosen| chosen == *solver))
            .map(|solver| run(&gpu, case, solver, resolution))
            .collect();
        failed |= rows.iter().any(Row::fails);
        println!("{}", page::table(&rows));
        if let Some(folder) = &pictures {
            plot::draw(case, &rows, folder)?;
        }
        if whole {
            page::replace(docs, case, &rows, &gpu.info().name)?;
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
