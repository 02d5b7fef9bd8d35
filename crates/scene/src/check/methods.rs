//! The methods' keys.

use crate::{Check, Scene};

pub(super) fn muller(check: &mut Check, scene: &Scene) {
    let muller = &scene.muller;
    for (key, value) in
        [("muller.stiffness", muller.stiffness), ("muller.sound_speed", muller.sound_speed)]
    {
        if let Some(value) = value {
            check.positive(key, value);
        }
    }
    if let Some(threshold) = muller.surface_threshold {
        check.not_negative("muller.surface_threshold", threshold);
    }
}

pub(super) fn wcsph(check: &mut Check, scene: &Scene) {
    let wcsph = &scene.wcsph;
    check.within("wcsph.gamma", wcsph.gamma, 1.0, 20.0);
    check.within("wcsph.alpha", wcsph.alpha, 0.0, 1.0);
    check.within("wcsph.xsph", wcsph.xsph, 0.0, 1.0);
    if let Some(speed) = wcsph.sound_speed {
        check.positive("wcsph.sound_speed", speed);
    }
}

pub(super) fn iterations(check: &mut Check, scene: &Scene) {
    let Scene { pcisph, iisph, dfsph, .. } = scene;
    check.positive("dfsph.max_divergence_error", dfsph.max_divergence_error);
    let solvers = [
        ("pcisph", pcisph.max_error, pcisph.min_iterations, pcisph.max_iterations),
        ("iisph", iisph.max_error, iisph.min_iterations, iisph.max_iterations),
        ("dfsph", dfsph.max_error, dfsph.min_iterations, dfsph.max_iterations),
    ];
    for (solver, error, least, most) in solvers {
        check.positive(&format!("{solver}.max_error"), error);
        if most == 0 || most < least {
            let message = format!(
                "must be at least 1 and at least {solver}.min_iterations = {least}, not {most}"
            );
            check.report(format!("{solver}.max_iterations"), message);
        }
    }
}
