//! Becker, Teschner 2007: weakly compressible SPH for free surface flows.

use meniscus_scene::{Kernel, Problem, Scene, Settings, Value};

use super::{leap_frog, with_sound};
use crate::{
    Axis, Chosen, Corrected, Key, Method, Number, Peer, Scope, Solver, Sound, Sph,
    arrays::{Lane, Row},
    passes,
    space::{FLUID, MEMBERS, PARTICLES},
    stage::Entry,
};

/// Gradient of ρ/ρ0 before the step, and ρ/ρ0 − 1; in cell order.
const SLOPE: Row = Row::new("density_slope", "vec4<f32>", PARTICLES).lanes(&[
    Lane { lanes: "xyz", quantity: "gradient of the compression", unit: "m⁻¹" },
    Lane { lanes: "w", quantity: "compression", unit: "" },
]);

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
        Key::number(
            "diffusion",
            // With more, steps at the limit by sound would be too long for it.
            [0.0, 0.25],
            0.0,
            "δ of the diffusion of density (Antuono et al. 2010), which smooths pressures; 0.1 is usual. For densities by \
             the continuity equation.",
        ),
        Key::choice(
            "diffusion_model",
            &[
                (
                    "antuono",
                    "Differences of density beyond those by its gradient, which a walk over neighbours finds (Antuono et al. \
                     2010): also right in tanks that accelerate and spin.",
                ),
                (
                    "fourtakas",
                    "Differences beyond those of still water under gravity (Fourtakas et al. 2019), in one walk with the \
                     continuity equation: a third less time.",
                ),
            ],
            "What of differences in density diffuses.",
        ),
    ]],
    numbers: &[
        Number::new("gamma", "γ of the Tait equation", |scene| scene.number("wcsph.gamma")),
        Number::new("diffusion", "δ c h/2 in m²/s, h the support radius", |scene| {
            let speed = scene.number("wcsph.sound_speed");
            scene.number("wcsph.diffusion") * speed * 0.5 * scene.support_radius()
        }),
        Number::new("softness", "1/c² in s²/m²", |scene| {
            scene.number("wcsph.sound_speed").powi(-2)
        }),
        Number::new(
            "image",
            "pressure of a wall's particle over that of the fluid particle beside it",
            |scene| {
                if scene.choice("wcsph.density") == "continuity" { 0.0 } else { 1.0 }
            },
        ),
    ],
    passes: &[&[
        passes::each("wcsph/before", FLUID),
        passes::each("wcsph/slope", MEMBERS),
        passes::each("wcsph/continuity", MEMBERS),
        passes::each("wcsph/diffuse", MEMBERS),
        passes::each("wcsph/excess", FLUID),
        passes::each("wcsph/rate", MEMBERS),
        passes::each("wcsph/pressure", FLUID),
    ]],
    arrays: &[&[SLOPE]],
    problems: Some(problems),
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
    let density: &[&str] = match scope.choice("wcsph.density") {
        "continuity" if diffuses(scope.chosen.settings()) => {
            match scope.choice("wcsph.diffusion_model") {
                "fourtakas" => &["wcsph/excess", "wcsph/rate"],
                _ => &["wcsph/before", "wcsph/slope", "wcsph/continuity", "wcsph/diffuse"],
            }
        }
        "continuity" => &["wcsph/continuity"],
        _ => &["sph/density"],
    };
    leap_frog(scope, density, "wcsph/pressure")
}

/// Whether densities diffuse.
fn diffuses(settings: &Settings) -> bool {
    settings.get("wcsph.diffusion").and_then(Value::number).is_some_and(|delta| delta > 0.0)
}

/// Sums of densities have no rate of change that diffusion could be part of.
fn problems(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let is_lost = diffuses(&scene.settings) && chosen.choice("wcsph.density") != "continuity";
    let message = "needs wcsph.density = \"continuity\": sums of densities do not change by rates";
    is_lost.then(|| Problem::new("wcsph.diffusion", message)).into_iter().collect()
}
