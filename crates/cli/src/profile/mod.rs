//! `meniscus profile`: measures the cost of each pass of a step.

mod trace;

use serde::Serialize;

use crate::{
    Failure, adapter,
    arguments::Profile,
    files,
    measure::{Device, Effort, Measurement, Statistics},
    terminal::{note, print},
};

/// Largest number of surface extractions; otherwise there are as many as steps.
const MOST_EXTRACTIONS: u32 = 20;

/// Contents of the file of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    device: &'a Device,
    #[serde(flatten)]
    statistics: &'a Statistics,
}

pub(crate) fn profile(arguments: &Profile) -> Result<(), Failure> {
    arguments.surface_options.check(arguments.surface, "--surface")?;
    let scene = arguments.scene.load(&[])?.scene;
    let gpu = adapter::open(&arguments.scene.device)?;
    let measurement = {
        let steps = arguments.steps;
        let extractions = steps.min(MOST_EXTRACTIONS);
        let effort = Effort {
            from: arguments.from,
            warm_up: (steps / 5).max(5),
            steps,
            extractions,
            limit: None,
        };
        let surface =
            arguments.surface.then(|| arguments.surface_options.options(&Default::default()));
        Measurement::take(&gpu, scene, &effort, surface.as_ref())?
    };
    let statistics = Statistics::of(&measurement);
    let device = &measurement.device;
    if !measurement.timed {
        note(&format!("{} cannot time passes; only wall time is measured", device.adapter));
    }
    print(&statistics.table(&measurement))?;
    if let Some(file) = &arguments.json {
        files::write_json(file, &Report { device, statistics: &statistics })?;
    }
    if let Some(file) = &arguments.trace {
        files::write(file, &trace::chrome(&measurement.recordings()))?;
    }
    Ok(())
}
