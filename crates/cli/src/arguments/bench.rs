//! Options of `meniscus profile` and `meniscus bench`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, builder::PossibleValuesParser};
use meniscus::{Registry, methods::Axis};

use super::{Device, Scene, SurfaceArguments};

/// Arguments of `meniscus profile`.
#[derive(Debug, Args)]
#[command(after_help = PROFILE_EXAMPLES)]
pub(crate) struct Profile {
    #[command(flatten)]
    pub(crate) scene: Scene,
    /// Number of steps to time, after a warm-up of a fifth as many (at least 5).
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: u32,
    /// Simulated time in s from which steps are timed: a splash costs more than a start at rest.
    #[arg(long, value_name = "S", default_value_t = 0.0, hide_default_value = true)]
    #[arg(value_parser = start)]
    pub(crate) from: f64,
    /// Also time the extraction of the surface, after the steps.
    #[arg(long)]
    pub(crate) surface: bool,
    #[command(flatten)]
    pub(crate) surface_options: SurfaceArguments,
    /// Write the results as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write every pass of every step as a Chrome trace, for ui.perfetto.dev.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
}

const PROFILE_EXAMPLES: &str = "\
Examples:
  meniscus profile dam_break
  meniscus profile dam_break --from 0.5 --solver dfsph
  meniscus profile dam_break --set particle_radius=0.006 --json profile.json --trace trace.json

Bytes are the minimum that a pass must move: every element that it binds once, or twice if it both
reads and writes it. Repeated loads do not count, so GB/s is a lower bound.";

/// Arguments of `meniscus bench`.
#[derive(Debug, Args)]
#[command(after_help = BENCH_EXAMPLES)]
pub(crate) struct Bench {
    /// Sizes: small, medium and large, or particle radii in m, as in --sizes small,0.02.
    ///
    /// They have about 12,000, 100,000 and 400,000 particles of fluid (radii of 0.0275, 0.0135 and 0.0085 m).
    /// The number of particles is inversely proportional to the radius cubed.
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "small,medium,large")]
    #[arg(value_parser = particle_radius)]
    pub(crate) sizes: Vec<f64>,
    /// Pressure solvers, as in --solvers muller,dfsph [default: all].
    #[arg(long, value_name = "NAMES", value_delimiter = ',', hide_default_value = true)]
    #[arg(default_values = solvers(), value_parser = PossibleValuesParser::new(solvers()))]
    pub(crate) solvers: Vec<String>,
    /// Number of steps, or of extractions of the surface, to time in each case, after a warm-up of 5 steps.
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: u32,
    /// Wall time of each case in s, after which no further step begins: a slow case makes fewer steps than
    /// --steps, but at least one, after a warm-up of at least one.
    #[arg(long, value_name = "S", default_value = "8", value_parser = duration)]
    pub(crate) seconds: Duration,
    /// Write the results as JSON, with the time of every step and of every pass.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the table to a Markdown file.
    ///
    /// In a file that exists, only the text between the lines <!-- bench --> and <!-- end bench -->
    /// changes.
    #[arg(long, value_name = "FILE.md")]
    pub(crate) markdown: Option<PathBuf>,
    /// Compare with the JSON of an earlier run: a column with the ratio of median times, new to old.
    ///
    /// Both medians are of the steps that both runs have measured, since from rest the number of iterations
    /// changes from step to step. Timings are comparable only on the same machine.
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) device: Device,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  All solvers in three sizes, which takes some minutes:
    meniscus bench --json before.json
  The same after a change, with the ratio of times (0.5 is twice as fast):
    meniscus bench --against before.json
  One solver with a million particles:
    meniscus bench --solvers dfsph --sizes 0.0063

Iterations are means per step. Particle-steps per second count the particles of walls as well.
A simulated second takes the median time of a step divided by the mean length of the steps.";

/// Solvers of scenes with particles.
fn solvers() -> Vec<&'static str> {
    let registry = Registry::standard();
    let all = registry
        .of(Axis::Solver)
        .filter(|method| method.family().is_some_and(|family| family.has_particles));
    all.map(|method| method.name).collect()
}

fn particle_radius(text: &str) -> Result<f64, String> {
    match text {
        "small" => Ok(0.0275),
        "medium" => Ok(0.0135),
        "large" => Ok(0.0085),
        _ => text
            .parse()
            .ok()
            .filter(|radius: &f64| radius.is_finite() && *radius > 0.0)
            .ok_or_else(|| "expected small, medium, large or a particle radius in m".into()),
    }
}

fn start(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or_else(|| "expected a number of seconds, 0 or more".into())
}

fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected a number of seconds greater than 0".into())
}
