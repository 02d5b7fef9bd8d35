//! `meniscus profile`: what each pass of a step costs.

mod figures;
mod measurement;
mod neighbours;
mod trace;

use crate::{
    Failure, adapter,
    arguments::Profile,
    files,
    terminal::{note, print},
};
use figures::Figures;
use measurement::Measurement;

pub(crate) fn profile(arguments: &Profile) -> Result<(), Failure> {
    let scene = arguments.scene.load(&[])?.scene;
    let gpu = adapter::open(&arguments.scene)?;
    let measurement = {
        let options = arguments.surface.then(|| arguments.surface_options.options(0));
        Measurement::take(&gpu, scene, arguments.steps, options.as_ref())?
    };
    let figures = Figures::of(&measurement);
    if !measurement.timed {
        note(&format!("{} cannot time passes: there is wall time only", measurement.adapter));
    }
    print(&figures.table(&measurement))?;
    if let Some(file) = &arguments.json {
        files::write(file, &figures.json())?;
    }
    if let Some(file) = &arguments.trace {
        files::write(file, &trace::chrome(&measurement.steps()))?;
    }
    Ok(())
}
