//! Options of `meniscus waves`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `meniscus waves`.
#[derive(Debug, Args)]
#[command(after_help = WAVES_EXAMPLES)]
pub(crate) struct Waves {
    #[command(subcommand)]
    pub(crate) kind: WaveKind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WaveKind {
    /// Waves of one height and period, to first or second order (Biésel, Suquet 1951; Madsen 1971).
    Regular {
        /// Height in m, from trough to crest.
        #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = positive)]
        height: f64,
        /// Period in s.
        #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
        period: f64,
        /// Order of the theory: 2 leaves out the free second harmonic that a sine makes, which runs slower than the waves and
        /// changes their shape along the flume.
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=2))]
        order: u32,
        /// Time in s in which the motion grows to its size [default: a period].
        #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = not_negative)]
        ramp: Option<f64>,
        #[command(flatten)]
        table: Table,
    },
    /// One solitary wave (Goring 1979).
    Solitary {
        /// Height in m above still water.
        #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = positive)]
        height: f64,
        #[command(flatten)]
        table: Table,
    },
    /// A sea state with the spectrum of JONSWAP (Hasselmann et al. 1973), to first order.
    Irregular {
        /// Significant height in m, four times the standard deviation of the surface.
        #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = positive)]
        height: f64,
        /// Period in s of the spectrum's peak.
        #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
        period: f64,
        /// Peak enhancement γ; 1 is the spectrum of Pierson and Moskowitz.
        #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 3.3, value_parser = positive)]
        gamma: f64,
        /// Seed of the phases: the same waves each time.
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Number of waves that are added.
        #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        components: u32,
        /// Time in s in which the motion grows to its size [default: a period].
        #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = not_negative)]
        ramp: Option<f64>,
        #[command(flatten)]
        table: Table,
    },
}

/// What the table is of.
#[derive(Debug, Args)]
pub(crate) struct Table {
    /// Depth in m of the still water at the piston.
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = positive)]
    pub(crate) depth: f64,
    /// End of the table in s, after which the piston rests.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub(crate) until: f64,
    /// Time in s between rows.
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 0.02, value_parser = positive)]
    pub(crate) every: f64,
    /// Direction in which waves leave the piston; of any length but 0.
    #[arg(long, value_name = "X,Y,Z", default_value = "1,0,0", allow_hyphen_values = true, value_parser = super::render::vector)]
    pub(crate) direction: [f64; 3],
    /// Size of gravity in m/s².
    #[arg(long, value_name = "G", allow_negative_numbers = true, default_value_t = 9.81, value_parser = positive)]
    pub(crate) gravity: f64,
    /// Write the rise of the water by time instead, for an inlet that makes the waves and takes those that come back:
    /// [[inlet]] table = { file, of = "rise" }, absorb = { period = S }.
    #[arg(long)]
    pub(crate) rise: bool,
    /// File of the table [default: standard output].
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) out: Option<PathBuf>,
}

const WAVES_EXAMPLES: &str = "\
Examples:
  meniscus waves regular --depth 0.3 --height 0.08 --period 1.2 --until 20 --out piston.csv
  meniscus waves solitary --depth 0.3 --height 0.1 --until 10 --out piston.csv
  meniscus waves irregular --depth 0.3 --height 0.06 --period 1.4 --seed 7 --until 120 --out piston.csv

The table is a motion of a wall or a driven body, which begins at rest where it stands in the scene:
  [[boundary]]
  shape.box = { min = [-0.2, 0.0], max = [0.0, 0.6] }
  side = \"outside\"
  motion = [{ table = { file = \"piston.csv\" } }]
At the other end of the flume a sponge takes the waves: [[force]] sponge = { start, end, rate }; or an open boundary:
  [[outlet]]
  side = \"+x\"
  level = 0.3
  absorb = { period = 1.2 }

With --rise it is for an inlet in place of the wall:
  [[inlet]]
  side = \"-x\"
  level = 0.3
  absorb = { period = 1.2 }
  table = { file = \"rise.csv\", of = \"rise\" }";

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number greater than 0".into())
}

fn not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number, 0 or more".into())
}
