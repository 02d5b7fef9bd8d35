//! `meniscus sweep`: many runs of one scene, with other values of its keys.
//!
//! All that is known about a sweep is in its folder. Any program that starts processes can do the runs, in any order, at
//! the same time and on several machines.

mod course;
mod plan;
mod table;
mod vary;

use std::path::Path;

use crate::{
    Failure,
    arguments::{self, Device, SweepCommand},
    run::listen,
    terminal::{self, print},
};
use course::{Course, State};
use plan::Plan;
pub use plan::Sweep;

pub(crate) fn sweep(arguments: &arguments::Sweep) -> Result<(), Failure> {
    match &arguments.command {
        SweepCommand::Plan(plan) => {
            let sweep = Sweep {
                source: plan.source.clone(),
                text: None,
                options: plan.options(),
                vary: plan.vary.clone(),
                seeds: plan.seeds,
                particles: plan.particles.map(|format| format.name().to_owned()),
            };
            let count = sweep.write(&plan.out)?;
            let (folder, last) = (plan.out.display(), count - 1);
            terminal::note(&format!(
                "{count} runs in {folder}: `meniscus sweep run {folder} --index K` with K from 0 to {last}"
            ));
            Ok(())
        }
        SweepCommand::Run(one) => {
            let plan = Plan::read(&one.folder)?;
            let course = Course::of(&plan, plan.run(one.index)?);
            if course.state() == State::Finished && !one.quiet {
                terminal::note(&format!("the run {} is finished already", one.index));
            }
            course.go(one.device.clone(), one.every, one.quiet, listen()?)
        }
        SweepCommand::Status { folder } => status(folder),
        SweepCommand::Merge(arguments) => table::merge(arguments),
    }
}

fn status(folder: &Path) -> Result<(), Failure> {
    let plan = Plan::read(folder)?;
    let states: Vec<_> = plan
        .runs
        .iter()
        .map(|run| {
            let course = Course::of(&plan, run);
            (run.index, course.state(), course)
        })
        .collect();
    let mut text = format!("{} runs", plan.runs.len());
    let kinds = [
        (State::Finished, "finished"),
        (State::Running, "running"),
        (State::Interrupted, "interrupted"),
        (State::Waiting, "waiting"),
    ];
    for (kind, name) in kinds {
        let all: Vec<_> = states.iter().filter(|(_, state, _)| *state == kind).collect();
        text += &format!("\n{:>8} {name}", all.len());
        // Where something may have to be done, which.
        if matches!(kind, State::Running | State::Interrupted) {
            for (index, _, course) in all {
                let frame =
                    course.frame().map_or(String::new(), |frame| format!(", at frame {frame}"));
                text += &format!("\n           --index {index}{frame}");
            }
        }
    }
    print(&(text + "\n"))
}

/// Why a sweep cannot be planned, or a run of it not be done.
#[derive(Clone, Debug)]
pub struct SweepError {
    /// What the command would print.
    pub message: String,
    /// Its exit status: 1 the simulation, the device or an output failed, 2 the input is wrong, 3 there is no adapter.
    pub status: u8,
}

impl From<Failure> for SweepError {
    fn from(failure: Failure) -> Self {
        Self { message: failure.to_string(), status: failure.exit_status() }
    }
}

/// Writes a plan to a folder, as `meniscus sweep plan` does, and returns the number of its runs.
///
/// # Errors
/// Wrong keys, values or ranges; a folder of another plan, or that cannot be written.
pub fn plan_sweep(sweep: &Sweep, folder: &Path) -> Result<usize, SweepError> {
    Ok(sweep.write(folder)?)
}

/// Does a run of a plan, as `meniscus sweep run` does, with a checkpoint after `every` frames. `stop` is given the number
/// of each frame and of the last, and says whether to end there with a checkpoint.
///
/// # Errors
/// A folder without a plan, a run that it has not or that another process does, and all errors of runs.
pub fn run_of_sweep(
    folder: &Path,
    index: usize,
    adapter: Option<String>,
    every: u32,
    stop: impl FnMut(u32, u32) -> bool,
) -> Result<(), SweepError> {
    let plan = Plan::read(folder)?;
    let device = Device { adapter, subgroups: arguments::Subgroups::Auto };
    let course = Course::of(&plan, plan.run(index)?);
    Ok(course.go(device, every, true, || Ok(Box::new(stop)))?)
}
