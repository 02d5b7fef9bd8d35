//! Shifts of particles as a whole: what they are for, and what they leave alone.

use conformance::{
    device::{Flavour, gpu},
    scenes::{parse, run_for, start, state},
};
use meniscus::Simulation;
use meniscus_formats::{LoadOptions, load_scene};

/// Fluid on periodic axes in a flow that draws it out, as between two eddies of Taylor and Green.
fn eddies(more: &str) -> meniscus_model::Scene {
    let text = r#"
dimensions = 2
solver = "wcsph"
particle_radius = 0.0125
kernel = "wendland_c2"
support_radius = 0.07
gravity = [0.0, 0.0]
viscosity.model = "pairwise"
time.fps = 20.0
[wcsph]
sound_speed = 10.0
[domain]
min = [0.0, 0.0]
max = [1.0, 1.0]
periodic = [true, true, false]
[[material]]
name = "water"
viscosity = 10.0
[[fluid]]
shape.box = { min = [0.0, 0.0], max = [1.0, 1.0] }
"#;
    parse(&format!("{more}\n{text}"))
}

/// In the eddies of Taylor and Green at a Reynolds number of 100, which decay as e^(−2νk²t), particles line up along the lines that
/// flow out of a stagnation point, and leave holes; shifted ones stay evenly apart, and the eddies keep their energy.
#[test]
fn a_flow_that_draws_out_leaves_no_holes() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut emptiest = Vec::new();
    let k = std::f64::consts::TAU;
    for more in ["", "shifting = {}"] {
        let mut simulation = start(gpu, &eddies(more));
        let before = state(gpu, &simulation);
        let speeds: Vec<[f32; 4]> = (0..before.particle_count())
            .map(|i| {
                let [x, y, _] = before.world_position(i).map(|x| k * x);
                [(-x.cos() * y.sin()) as f32, (x.sin() * y.cos()) as f32, 0.0, 0.0]
            })
            .collect();
        simulation.machine().write("velocity", bytemuck::cast_slice(&speeds)).expect("room");
        run_for(gpu, &mut simulation, 0.5);
        let after = state(gpu, &simulation);
        let places: Vec<_> = after.fluid().map(|own| own.position).collect();
        // The largest hole: from any node to its nearest particle, in spacings.
        let apart = |a: f64, b: f64| (a - b).abs().min(1.0 - (a - b).abs());
        let hole = |x: f64, y: f64| -> f64 {
            let near = |p: &[f64; 3]| apart(p[0], x).hypot(apart(p[1], y));
            places.iter().map(near).fold(f64::MAX, f64::min)
        };
        let nodes =
            (0..100 * 100).map(|n| hole(f64::from(n % 100) / 100.0, f64::from(n / 100) / 100.0));
        let largest = nodes.fold(0.0, f64::max) / 0.025;
        let speed = |own: meniscus_model::state::Particle| {
            f64::from(own.velocity[0]).hypot(own.velocity[1].into())
        };
        let energy = after.fluid().map(|own| speed(own).powi(2)).sum::<f64>() / 800.0;
        let exact = (-4.0 * 0.01 * k * k * 0.5).exp();
        println!("{more}: hole {largest:.3}, energy {energy:.4}, {exact:.4}");
        emptiest.push((largest, energy / exact));
    }
    let [without, with] = emptiest[..] else { panic!("two runs") };
    // Of the lattice 0.71.
    assert!(with.0 < 0.9 * without.0, "{emptiest:?}");
    assert!(with.1 > 0.7 && with.1 > 2.0 * without.1, "{emptiest:?}");
}

/// Water at rest under a level surface stays where it is.
#[test]
fn a_tank_at_rest_is_left_alone() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let text = |more: &str| {
        format!(
            "{more}\ndimensions = 2\nparticle_radius = 0.01\n[[material]]\nname = \"water\"\n[[fluid]]\nshape.box = {{ min = [0.0, 0.0], max = \
             [0.6, 0.3] }}\n[[boundary]]\nshape.box = {{ min = [0.0, 0.0], max = [0.6, 0.6] }}"
        )
    };
    let level = |simulation: &Simulation| {
        let heights = state(gpu, simulation);
        heights.fluid().map(|own| own.position[1]).sum::<f64>() / heights.fluid().count() as f64
    };
    for solver in ["wcsph", "dfsph"] {
        let [without, with] = ["", "shifting = {}"].map(|more| {
            let mut scene = parse(&text(more));
            scene.solver = solver.into();
            let mut simulation = start(gpu, &scene);
            run_for(gpu, &mut simulation, 1.0);
            level(&simulation)
        });
        println!("{solver}: {without} {with}");
        assert!((with / without - 1.0).abs() < 0.01, "{solver}: {with}, {without}");
    }
}

/// Grid methods have no disorder to shift.
#[test]
fn other_methods_refuse_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("dam.toml");
    let text = "solver = \"flip\"\n[shifting]\n[[material]]\nname = \"water\"\n[[fluid]]\nshape.box = { min = [0.0, 0.0, 0.0], max = \
                [0.2, 0.2, 0.2] }\n[[boundary]]\nshape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.4, 0.4] }";
    std::fs::write(&file, text).expect("a file");
    let refused =
        load_scene(&file.to_string_lossy(), &LoadOptions::default()).expect_err("refused");
    let message = refused.to_string();
    assert!(
        message.contains("dam.toml:2:") && message.contains("it is a method of SPH"),
        "{message}"
    );
}
