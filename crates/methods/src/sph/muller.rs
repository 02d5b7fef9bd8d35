//! Müller, Charypar, Gross 2003: particle-based fluid simulation for interactive applications.

use meniscus_scene::Kernel;

use super::{leap_frog, with_sound};
use crate::{
    Axis, Corrected, Key, Method, Scope, Solver, Sound, Sph, passes, space::FLUID, stage::Entry,
};

/// Stiffness k, and its square root, the speed of sound.
pub const METHOD: Method = Method {
    source: "Müller, Charypar, Gross 2003",
    help: "equation of state p = k (ρ − ρ0), leap-frog; its own three kernels",
    wall_particles: true,
    keys: &[&[
        Key::derived(
            "stiffness",
            "m²/s²",
            |scene| scene.number("muller.sound_speed").powi(2),
            "the square of the speed of sound",
            "Stiffness k of p = k(ρ − ρ0).",
        ),
        super::SOUND_SPEED,
        super::NEGATIVE_PRESSURE,
    ]],
    passes: &[&[passes::each("muller/pressure", FLUID)]],
    term: Some("pressure_muller"),
    solver: Some(Solver {
        family: &super::FAMILY,
        stages,
        step_share: 0.4,
        sph: Some(Sph {
            corrected: Corrected::Density,
            kernel: Kernel::Muller,
            first_drift: 0.5,
            sound: Some(Sound {
                speed: |scene| match scene.names("muller.stiffness") {
                    true => scene.number("muller.stiffness").sqrt(),
                    false => scene.number("muller.sound_speed"),
                },
                stiffness: |scene, _| scene.number("muller.stiffness"),
                clamp: |scene| !scene.flag("muller.negative_pressure"),
                // A given stiffness is not checked: published values make water very compressible.
                key: |scene| {
                    let own = scene.names("muller.sound_speed") && !scene.names("muller.stiffness");
                    own.then_some("muller.sound_speed")
                },
            }),
            limited: false,
            opens: true,
            needs_viscosity: true,
            usual_viscosity: with_sound,
        }),
    }),
    ..Method::new("muller", Axis::Solver)
};

/// Stages of one step.
fn stages(scope: &Scope) -> Vec<Entry> {
    leap_frog(scope, &["sph/density"], "muller/pressure")
}
