//! Becker, Teschner 2007: weakly compressible SPH for free surface flows.

use meniscus_scene::Kernel;

use super::{leap_frog, with_sound};
use crate::{
    Axis, Corrected, Key, Method, Number, Peer, Scope, Solver, Sound, Sph, passes,
    space::{FLUID, MEMBERS},
    stage::Entry,
};

/// Tait equation.
pub const METHOD: Method = Method {
    source: "Becker, Teschner 2007",
    help: "Tait equation p = B ((ρ/ρ0)^γ − 1), leap-frog",
    keys: &[&[
        Key::number("gamma", [1.0, 20.0], 7.0, "γ in p = B((ρ/ρ0)^γ − 1), B = ρ0 c²/γ."),
        super::SOUND_SPEED,
        super::NEGATIVE_PRESSURE,
        Key::choice(
            "density",
            &[
                (
                    "summation",
                    "By summation over neighbours in each step (Müller, Charypar, Gross 2003, 3).",
                ),
                (
                    "continuity",
                    "From rest density on, by the continuity equation (Monaghan 1992). Surfaces have \
                     rest density too, but errors add up over time.",
                ),
            ],
            "Computation of densities.",
        ),
    ]],
    numbers: &[Number::new("gamma", "γ of the Tait equation", |scene| {
        scene.number("wcsph.gamma")
    })],
    passes: &[&[passes::each("wcsph/continuity", MEMBERS), passes::each("wcsph/pressure", FLUID)]],
    // With volumes water stays too long at the wall behind a dam.
    wall_particles: true,
    term: Some("pressure_wcsph"),
    solver: Some(Solver {
        family: &super::FAMILY,
        stages,
        step_share: 0.4,
        sph: Some(Sph {
            corrected: Corrected::Density,
            kernel: Kernel::CubicSpline,
            first_drift: 0.5,
            sound: Some(Sound {
                speed: |scene| scene.number("wcsph.sound_speed"),
                stiffness: |scene, rest_density| {
                    let c = scene.number("wcsph.sound_speed");
                    rest_density * c * c / scene.number("wcsph.gamma")
                },
                clamp: |scene| !scene.flag("wcsph.negative_pressure"),
                key: |scene| scene.names("wcsph.sound_speed").then_some("wcsph.sound_speed"),
            }),
            limited: false,
            opens: true,
            needs_viscosity: false,
            usual_viscosity: with_sound,
        }),
    }),
    peer: Some(Peer::new(0)),
    ..Method::new("wcsph", Axis::Solver)
};

/// Stages of one step.
fn stages(scope: &Scope) -> Vec<Entry> {
    let density = match scope.choice("wcsph.density") {
        "continuity" => "wcsph/continuity",
        _ => "sph/density",
    };
    leap_frog(scope, density, "wcsph/pressure")
}
