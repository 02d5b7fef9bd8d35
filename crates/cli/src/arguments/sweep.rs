//! Options of `meniscus sweep`.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Parser, Subcommand};
use meniscus_formats::{LoadOptions, ParticleFormat};

use super::{Arguments, Command, Device, Run, named};
use crate::Failure;

/// Arguments of `meniscus sweep`.
#[derive(Debug, Args)]
#[command(after_help = SWEEP_EXAMPLES)]
pub(crate) struct Sweep {
    #[command(subcommand)]
    pub(crate) command: SweepCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SweepCommand {
    /// Write a folder of runs: runs.jsonl with a line for each, and their scenes.
    ///
    /// A line has the run's index, folder, seed, and the values of its keys. The scenes, 00000/scene.toml, …, are complete,
    /// so later changes of the original do not matter; every one of them is checked. The same plan again changes nothing.
    Plan(Plan),
    /// Do one run of a plan. A run that is finished returns at once; one that was interrupted goes on from its checkpoint.
    ///
    /// The results appear as a whole when the run ends, as the folder 00000/results: log.jsonl, a line for each frame;
    /// report.json, its last line; and the files of `sweep plan --particles`. They do not depend on interruptions.
    /// Ctrl-C and termination (as by a scheduler at the end of the time) write a checkpoint after the frame.
    Run(RunOne),
    /// Say which runs are finished, running, interrupted and waiting.
    Status {
        /// Folder of the plan.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Write a table of all runs as CSV: index, seed, the values of the keys, and the last line of the log.
    Merge(Merge),
}

/// Arguments of `meniscus sweep plan`.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// Scene file (.toml, or .json of SPlisHSPlasH), or the name of a bundled scene.
    #[arg(value_name = "SCENE")]
    pub(crate) source: String,
    /// Values of a key: a list, as material[0].viscosity=0.001,0.01, or so many numbers from one to another, as
    /// time.cfl=0.2..0.6:5.
    ///
    /// Keys and values are those of `meniscus run --set`. May be repeated: there is a run for each combination, and the
    /// last key changes first.
    #[arg(long, value_name = "KEY=VALUES")]
    pub(crate) vary: Vec<String>,
    /// Number of runs of each combination, with seed=0, seed=1, …, which places fluid with jitter differently.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seeds: Option<u32>,
    /// Set a key of the scene in all runs, as in --set time.until=1. May be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Pressure solver, in place of the scene's own.
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Write the particles of every frame of a run, as `meniscus run --particles` does.
    #[arg(long, value_name = "FORMAT", value_parser = named(ParticleFormat::ALL))]
    pub(crate) particles: Option<ParticleFormat>,
    /// Folder to write.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

impl Plan {
    /// Options for reading the scene, without what varies.
    pub(crate) fn options(&self) -> LoadOptions {
        LoadOptions { solver: self.solver.clone(), set: self.set.clone() }
    }
}

/// Arguments of `meniscus sweep run`.
#[derive(Debug, Args)]
pub(crate) struct RunOne {
    /// Folder of the plan.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Number of the run, from 0: in a job array, $SLURM_ARRAY_TASK_ID.
    #[arg(long, value_name = "K")]
    pub(crate) index: usize,
    /// Number of frames between checkpoints.
    #[arg(long, value_name = "FRAMES", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    #[command(flatten)]
    pub(crate) device: Device,
    /// Show no progress and no summary.
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Arguments of `meniscus sweep merge`.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Folder of the plan.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// File to write [default: standard output].
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) out: Option<PathBuf>,
    /// Leave out runs that are not finished, which is an error otherwise.
    #[arg(long)]
    pub(crate) unfinished: bool,
}

impl Run {
    /// The arguments that the command line `meniscus run …` has, on a device.
    pub(crate) fn of_line(line: Vec<OsString>, device: Device) -> Result<Self, Failure> {
        let line = ["meniscus".into(), "run".into()].into_iter().chain(line);
        match Arguments::try_parse_from(line) {
            Ok(Arguments { command: Command::Run(mut run) }) => {
                run.scene.device = device;
                Ok(run)
            }
            Ok(_) => Err(Failure::Failed("this is another command than run".into())),
            Err(error) => Err(Failure::Input(error.to_string())),
        }
    }
}

const SWEEP_EXAMPLES: &str = "\
Examples:
  Plan twelve runs: two viscosities, two heights, three seeds:
    meniscus sweep plan dam_break --set particle_radius=0.05 \\
      --set fluid[0].jitter=0.1 --vary material[0].viscosity=0.001,0.01 \\
      --vary \"fluid[0].shape.box.max[1]=0.5..1:2\" --seeds 3 --out runs
  Do them, one after the other, or as a job array of Slurm:
    for k in $(seq 0 11); do meniscus sweep run runs --index $k; done
    sbatch --array=0-11 --wrap 'meniscus sweep run runs --index $SLURM_ARRAY_TASK_ID'
  See how far they are, and make one table:
    meniscus sweep status runs
    meniscus sweep merge runs --out table.csv

docs/sweeps.md has more.";
