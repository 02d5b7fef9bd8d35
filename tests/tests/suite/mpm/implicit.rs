//! Implicit steps.

use conformance::{
    device::{Flavour, gpu},
    scenes::{parse, run_for, start, state},
};
use meniscus::{Gpu, Simulation, State};
use meniscus_model::Scene;

use super::elements;

/// Jelly of this modulus in Pa, 20 cm high and wide, that falls by 5 cm, in 2-D.
fn drop(modulus: f64, more: &str) -> Scene {
    parse(&format!(
        r#"
solver = "mls_mpm"
dimensions = 2
particle_radius = 0.01
mpm = {{ integration = "implicit" }}
[domain]
min = [-0.3, -0.1, 0.0]
max = [0.5, 0.6, 0.0]
[time]
fps = 100.0
max_step = 0.01
[[material]]
name = "jelly"
model = "jelly"
youngs_modulus = {modulus:e}
[[fluid]]
material = "jelly"
shape.box = {{ min = [0.0, 0.05, 0.0], max = [0.2, 0.25, 0.0] }}
[[boundary]]
shape.plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }}
{more}
"#
    ))
}

/// Kinetic, potential and elastic energy in J/m, of particles of a mass in kg/m.
fn energy(state: &State, mass: f64) -> f64 {
    let stress = elements::<2>(state, "stress");
    let of = |i: usize| {
        let v: f64 = state.velocity()[i][..3].iter().map(|v| f64::from(*v).powi(2)).sum();
        0.5 * mass * v + mass * 9.81 * state.world_position(i)[1] + f64::from(stress[i][1][3])
    };
    (0..state.particle_count()).map(of).sum()
}

/// Runs a scene to an end in s; the energy before, and the most that it rises by in a frame.
fn watch(gpu: &Gpu, scene: &Scene, end: f64) -> (Simulation, f64, f64) {
    let mut jelly = start(gpu, scene);
    let mass = 0.02 * 0.02 * 1000.0;
    let first = energy(&state(gpu, &jelly), mass);
    let (mut last, mut rise) = (first, 0.0_f64);
    while jelly.time() < end - 1e-9 {
        run_for(gpu, &mut jelly, 0.01);
        let now = energy(&state(gpu, &jelly), mass);
        rise = rise.max(now - last);
        last = now;
    }
    (jelly, first, rise)
}

/// Stiff jelly in steps of twenty explicit ones falls, hits the floor and rests: backward Euler loses energy in every step, but for
/// the rounding of its sums.
#[test]
fn stiff_jelly_in_long_steps_gains_no_energy_and_rests() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for modulus in [1e6, 1e7] {
        let (jelly, first, rise) = watch(gpu, &drop(modulus, ""), 0.4);
        // Explicit steps are 0.5 Δx/c = 0.02 m/√((λ + 2μ)/ρ0), with λ + 2μ = 1.346 E.
        let explicit = 0.02 / (1.346 * modulus / 1000.0).sqrt();
        let steps = f64::from(state(gpu, &jelly).control.step);
        assert!(0.4 / steps > 10.0 * explicit, "{modulus:e}: {steps} steps of {explicit:e}");
        // Where a flight ends or begins, the fall of a step, ½ g Δt².
        let weight = 9.81 * 0.02 * 0.02 * 1000.0 * state(gpu, &jelly).particle_count() as f64;
        let fall = weight * 0.5 * 9.81 * (0.4 / steps).powi(2);
        assert!(rise < 1e-6 * first + fall, "{modulus:e}: rises by {rise} of {first} J/m");
        let last = state(gpu, &jelly);
        let lowest = (0..last.particle_count()).map(|i| last.world_position(i)[1]);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let fastest = last.velocity().iter().map(|v| v[1].abs()).fold(0.0, f32::max);
        assert!((0.008..0.012).contains(&lowest), "{modulus:e}: rests at {lowest} m");
        assert!(fastest < 0.02, "{modulus:e}: still moves at {fastest} m/s");
    }
}

/// What other materials hear limits the steps still.
#[test]
fn explicit_materials_limit_implicit_steps() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let water = "[[material]]\nname = \"water\"\nsound_speed = 50.0\n[[fluid]]\nmaterial = \"water\"\nshape.box = { min = [0.3, 0.0, \
                 0.0], max = [0.4, 0.1, 0.0] }\n";
    let mut both = start(gpu, &drop(1e6, water));
    run_for(gpu, &mut both, 0.02);
    let steps = state(gpu, &both).control.step;
    assert!(steps >= 50, "{steps} steps of at most 0.4 ms");
}

/// Free bodies do not feel implicit forces.
#[test]
fn a_free_body_is_refused() {
    let text =
        "[[body]]\nshape.sphere = { center = [0.3, 0.2, 0.0], radius = 0.1 }\ndensity = 500.0\n";
    let scene = drop(1e6, text);
    let problems = meniscus_model::check::problems(&scene);
    assert!(
        problems.iter().any(|problem| problem.to_string().contains("integration")),
        "{problems:?}"
    );
}
