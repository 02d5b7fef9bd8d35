//! `meniscus scenes`: lists the bundled scenes.

use meniscus::model::{
    Setup,
    params::{EmitterParams, KIND_FLUID},
};
use meniscus_formats::{BundledScene, LoadOptions, SCENES, load_scene};
use rayon::prelude::*;

use crate::{
    Failure,
    terminal::{print, table},
};

pub(crate) fn scenes() -> Result<(), Failure> {
    let row = |bundled: &BundledScene| {
        let scene = load_scene(bundled.name, &LoadOptions::default())?.scene;
        let setup = Setup::new(&scene).map_err(|problems| {
            let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
            Failure::Input(format!("{}: {}", bundled.name, problems.join("; ")))
        })?;
        let fluid = |who: &&[u32; 2]| who[1] & 0xff == KIND_FLUID;
        let start = setup.identity.iter().filter(fluid).count();
        let emitted = match emitted(&setup, scene.time.until) {
            0 => String::new(),
            more => format!("+ {more}"),
        };
        Ok([bundled.name.to_owned(), start.to_string(), emitted, scene.title])
    };
    // Millions of particles are placed only to be counted.
    let rows: Vec<_> = SCENES.par_iter().map(row).collect::<Result<_, Failure>>()?;
    print(&table(["scene", "particles", "emitted", ""], &[1, 2], rows))
}

/// Particles that emitters have emitted at a time in s, if nothing makes them pause.
fn emitted(setup: &Setup, until: f64) -> u64 {
    let of = |emitter: &EmitterParams| {
        let time = until.min(f64::from(emitter.end)) - f64::from(emitter.start);
        if time < 0.0 {
            return 0;
        }
        let layers = (time / f64::from(emitter.interval)).floor() as u64 + 1;
        layers.min(u64::from(emitter.max_layers)) * u64::from(emitter.point_count)
    };
    setup.emitters.iter().map(of).sum()
}
