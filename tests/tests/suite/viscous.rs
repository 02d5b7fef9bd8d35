//! Implicit viscosity as a whole: what it keeps, and how fast it slows flows down.

use std::{f64::consts::TAU, fs};

use conformance::{
    device::{Flavour, gpu},
    scenes::{momentum, parse, run_for, start, state},
};
use glam::DVec3;
use meniscus::Gpu;
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_methods::Registry;
use meniscus_model::Scene;

/// Density in kg/m³ of all scenes here.
const DENSITY: f64 = 1000.0;

/// Step in s that explicit viscosity would allow, times its kinematic viscosity in m²/s: 0.125 (h/2)².
fn limit(scene: &Scene) -> f64 {
    0.125 * (0.5 * scene.support_radius()).powi(2)
}

/// A drop in disorder, free in space, whose viscosity makes steps of 2 ms `times` the explicit limit.
fn drop(solver: &str, times: f64) -> Scene {
    let text = r#"
particle_radius = 0.01
support_radius = 0.06
gravity = [0.0, 0.0, 0.0]
time = { step = 0.002, fps = 500.0 }
viscosity.model = "implicit"
[wcsph]
sound_speed = 4.0
[[material]]
name = "honey"
[[fluid]]
shape.box = { min = [-0.1, -0.1, -0.1], max = [0.1, 0.1, 0.1] }
angular_velocity = [0.0, 0.0, 2.0]
velocity = [0.3, 0.0, 0.0]
jitter = 0.2
"#;
    let mut scene = parse(text);
    scene.solver = solver.into();
    scene.materials[0].viscosity = Some(DENSITY * times * limit(&scene) / 0.002);
    scene
}

/// V6: pair impulses are opposite, so momentum stays to rounding, however thick the liquid.
#[test]
fn momentum_is_kept_at_any_viscosity() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph"] {
        for (times, bound) in [(1.0, 2e-6), (100.0, 2e-6), (1e4, 5e-5)] {
            let scene = drop(solver, times);
            let mut simulation = start(gpu, &scene);
            let mass = DENSITY * scene.spacing().powi(3);
            run_for(gpu, &mut simulation, 0.004);
            let (before, size) = momentum(&state(gpu, &simulation), mass);
            run_for(gpu, &mut simulation, 0.01);
            let (after, _) = momentum(&state(gpu, &simulation), mass);
            let change = (after - before).length() / size / 5.0;
            assert!(change < bound, "{solver}, {times} × the limit: {change:e} a step");
        }
    }
}

/// V3: a shear wave v = sin(ky) of 40 spacings on periodic axes, at steps of `times` the explicit limit. Returns the
/// viscosity that its decay shows, over that of the material.
fn wave(gpu: &Gpu, solver: &str, times: f64, steps: u32) -> f64 {
    let text = r#"
dimensions = 2
particle_radius = 0.005
support_radius = 0.03
gravity = [0.0, 0.0, 0.0]
time = { step = 0.001, fps = 1000.0 }
viscosity.model = "implicit"
viscosity.max_error = 0.01
[wcsph]
sound_speed = 2.0
[domain]
min = [0.0, 0.0, 0.0]
max = [0.2, 0.4, 0.0]
periodic = [true, true, false]
[[material]]
name = "honey"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.2, 0.4, 0.0] }
jitter = 0.1
"#;
    let mut scene = parse(text);
    scene.solver = solver.into();
    let (dt, viscosity) = (0.001, times * limit(&scene) / 0.001);
    scene.materials[0].viscosity = Some(DENSITY * viscosity);
    let mut simulation = start(gpu, &scene);
    run_for(gpu, &mut simulation, dt);
    let k = TAU / 0.4;
    let mut before = state(gpu, &simulation);
    let shape = |state: &meniscus::model::State, i: usize| (k * state.world_position(i)[1]).sin();
    let speeds: Vec<[f32; 4]> = (0..before.particle_count())
        .map(|i| [0.05 * shape(&before, i) as f32, 0.0, 0.0, 0.0])
        .collect();
    simulation.machine().write("velocity", bytemuck::cast_slice(&speeds)).expect("room");
    let amplitude = |state: &meniscus::model::State| -> f64 {
        let terms =
            state.velocity().iter().enumerate().map(|(i, v)| (f64::from(v[0]), shape(state, i)));
        let (sum, square) = terms.fold((0.0, 0.0), |(a, b), (v, s)| (a + v * s, b + s * s));
        sum / square
    };
    let start = 0.05;
    run_for(gpu, &mut simulation, f64::from(steps) * dt);
    before = state(gpu, &simulation);
    // Backward Euler: a factor 1/(1 + ν k² Δt) a step.
    let factor = (amplitude(&before) / start).powf(1.0 / f64::from(steps));
    (1.0 / factor - 1.0) / (viscosity * k * k * dt)
}

#[test]
fn a_shear_wave_decays_as_the_viscosity_says() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph"] {
        for (times, steps) in [(1.0, 100), (10.0, 20), (100.0, 4)] {
            let share = wave(gpu, solver, times, steps);
            println!("{solver}, {times} × the limit: {share}");
            // The lattice's own is 0.95.
            assert!((share - 0.95).abs() < 0.08, "{solver}, {times} × the limit: {share}");
        }
    }
}

/// What the method cannot do is refused in a sentence, and what it does badly is said.
#[test]
fn scenes_that_it_cannot_serve_are_refused() {
    let scene = |more: &str| {
        let text = "[[material]]\nname = \"honey\"\nviscosity = 10.0\n[[fluid]]\nshape.box = { min = [0.0, 0.0, \
                    0.0], max = [0.2, 0.2, 0.2] }\n";
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("honey.toml");
        fs::write(&file, format!("{more}\n{text}")).expect("a file");
        load_scene(&file.to_string_lossy(), &LoadOptions::default()).map(|loaded| loaded.scene)
    };
    let message = |more: &str| scene(more).expect_err("it is refused").to_string();
    let twice = message("viscosity.model = [\"muller\", \"implicit\"]");
    assert!(twice.contains("honey.toml:1:") && twice.contains("act twice"), "{twice}");
    let none = message("viscosity = { model = \"implicit\", max_error = 0.0 }");
    assert!(none.contains("viscosity.max_error"), "{none}");
    let body = "viscosity.model = \"implicit\"\n[[body]]\nshape.sphere = { center = [0.5, 0.5, 0.5], radius = 0.1 \
                }\ndensity = 500.0";
    assert!(message(body).contains("do not feel the viscosity"), "{}", message(body));
    let narrow = scene("viscosity.model = \"implicit\"").expect("it runs");
    let warnings = Registry::standard().warnings(&narrow);
    assert!(
        warnings.iter().any(|warning| warning.contains("support_radius = 0.075")),
        "{warnings:?}"
    );
}

/// A turning drop has nothing to drag: rigid rotation is no shear.
#[test]
fn rigid_rotation_is_not_damped() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = drop("dfsph", 100.0);
    let mut simulation = start(gpu, &scene);
    run_for(gpu, &mut simulation, 0.002);
    let spin = |state: &meniscus::model::State| -> f64 {
        let mean = |of: &dyn Fn(usize) -> DVec3| {
            let n = state.particle_count();
            (0..n).map(of).sum::<DVec3>() / n as f64
        };
        let place = |i: usize| DVec3::from_array(state.world_position(i).map(f64::from));
        let speed = |i: usize| {
            let v = state.velocity()[i];
            DVec3::new(v[0].into(), v[1].into(), v[2].into())
        };
        let (center, drift) = (mean(&place), mean(&speed));
        mean(&|i| (place(i) - center).cross(speed(i) - drift)).z
    };
    let before = spin(&state(gpu, &simulation));
    run_for(gpu, &mut simulation, 0.04);
    let after = spin(&state(gpu, &simulation));
    assert!((after / before - 1.0).abs() < 0.01, "angular momentum {before} becomes {after}");
}
