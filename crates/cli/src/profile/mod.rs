//! `meniscus profile`: measures the cost of each pass of a step.

mod measurement;
mod neighbours;
mod statistics;
mod trace;

use crate::{
    Failure, adapter,
    arguments::Profile,
    files,
    terminal::{note, print},
};
use measurement::Measurement;
use statistics::Statistics;

pub(crate) fn profile(arguments: &Profile) -> Result<(), Failure> {
    let scene = arguments.scene.load(&[])?.scene;
    let gpu = adapter::open(&arguments.scene)?;
    let measurement = {
        let options = arguments.surface.then(|| arguments.surface_options.options(0));
        Measurement::take(&gpu, scene, arguments.steps, options.as_ref())?
    };
    let statistics = Statistics::of(&measurement);
    if !measurement.timed {
        note(&format!("{} cannot time passes; only wall time is measured", measurement.adapter));
    }
    print(&statistics.table(&measurement))?;
    if let Some(file) = &arguments.json {
        files::write(file, &statistics.json())?;
    }
    if let Some(file) = &arguments.trace {
        files::write(file, &trace::chrome(&measurement.steps()))?;
    }
    Ok(())
}
