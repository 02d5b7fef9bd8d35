//! Sweeps: the functions that `meniscus_fluids.ensemble` is built on.

use std::path::PathBuf;

use meniscus_cli::{Sweep, SweepError, plan_sweep, run_of_sweep};
use meniscus_formats::LoadOptions;
use pyo3::prelude::*;

use crate::errors::{Failure, guarded};

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        let SweepError { message, status } = error;
        match status {
            2 => Self::of_scene(message),
            3 => Self::Adapter(message),
            _ => Self::Simulation { cause: message.clone(), message, step: None, time: None },
        }
    }
}

/// Writes the plan of a sweep, and returns the number of its runs. `text` takes the place of the file `source`, `vary` and
/// `keys` are those of `--vary` and `--set`.
#[pyfunction]
#[pyo3(signature = (source, text, folder, vary, keys, seeds=None, particles=None))]
#[allow(clippy::too_many_arguments, reason = "the package gives them names")]
pub(crate) fn plan(
    py: Python<'_>,
    source: String,
    text: Option<String>,
    folder: PathBuf,
    vary: Vec<String>,
    keys: Vec<String>,
    seeds: Option<u32>,
    particles: Option<String>,
) -> PyResult<usize> {
    let options = LoadOptions { solver: None, set: keys };
    let sweep = Sweep { source, text, options, vary, seeds, particles };
    guarded(py, || Ok(plan_sweep(&sweep, &folder)?))
}

/// Does a run of a plan, or the rest of it, with a checkpoint after `every` frames, and when Ctrl-C ends it.
#[pyfunction]
#[pyo3(signature = (folder, index, adapter, every))]
pub(crate) fn run_planned(
    py: Python<'_>,
    folder: PathBuf,
    index: usize,
    adapter: Option<String>,
    every: u32,
) -> PyResult<()> {
    let mut raised = None;
    let result = guarded(py, || {
        let stop = |_, _| {
            raised = Python::attach(|py| py.check_signals()).err();
            raised.is_some()
        };
        crate::devices::use_here()?;
        Ok(run_of_sweep(&folder, index, adapter, every, stop)?)
    });
    match raised {
        Some(error) => Err(error),
        None => result,
    }
}
