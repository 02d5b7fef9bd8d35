//! Rigid bodies in material points.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, run_for, start},
};

/// Water 0.3 m deep in 2-D, with what else is in it.
fn pool(more: &str) -> meniscus::Scene {
    parse(&format!(
        r#"
solver = "mls_mpm"
dimensions = 2
particle_radius = 0.01
gravity = [0.0, -9.81, 0.0]
[domain]
min = [0.0, 0.0, 0.0]
max = [0.8, 0.8, 0.0]
[time]
fps = 20.0
[[material]]
name = "water"
sound_speed = 25.0
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.8, 0.3, 0.0] }}
[[boundary]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.8, 0.8, 0.0] }}
{more}
"#
    ))
}

/// A box of half the density of water floats with its middle at the level.
#[test]
fn a_box_of_half_the_density_floats_at_half() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = pool(
        "[[body]]\nshape.box = { min = [0.28, 0.18, 0.0], max = [0.52, 0.42, 0.0] }\ndensity = 500.0\n",
    );
    let mut simulation = start(gpu, &scene);
    let mut sum = 0.0;
    for frame in 0..60 {
        run_for(gpu, &mut simulation, 0.05);
        let body = &simulation.bodies()[0];
        println!("{:?} {:?}", body.position, body.velocity);
        if frame >= 30 {
            sum += body.position[1] / 30.0;
        }
    }
    let report = block_on(gpu, simulation.report()).expect("a report");
    assert_eq!(report.lost, 0);
    println!("middle at {sum} m");
    // The water that the box displaced at the start is that below the level.
    assert!((sum - 0.3).abs() < 0.05 * 0.24, "its middle is at {sum} m");
}

/// A body that falls into water takes the momentum that the water loses: of both together only gravity changes it, and in
/// free space nothing.
#[test]
fn momentum_goes_over_to_a_body() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (solver, drag) in [("mls_mpm", 0.0), ("mls_mpm", 0.5), ("classic_mpm", 0.0)] {
        let mut scene = parse(&format!(
            r#"
dimensions = 2
particle_radius = 0.01
gravity = [0.0, 0.0, 0.0]
[domain]
min = [-1.0, -1.0, 0.0]
max = [1.0, 1.0, 0.0]
[time]
fps = 20.0
[[material]]
name = "jelly"
model = "jelly"
youngs_modulus = 2e4
[[fluid]]
shape.box = {{ min = [-0.4, -0.1, 0.0], max = [-0.2, 0.1, 0.0] }}
velocity = [2.0, 0.0, 0.0]
[[body]]
shape.box = {{ min = [0.0, -0.17, 0.0], max = [0.2, 0.03, 0.0] }}
density = 800.0
drag = {drag:?}
"#
        ));
        scene.solver = solver.into();
        let mut simulation = start(gpu, &scene);
        let mass = 0.04 * 800.0;
        run_for(gpu, &mut simulation, 0.3);
        let body = simulation.bodies()[0].clone();
        let report = block_on(gpu, simulation.report()).expect("a report");
        let found = report.momentum[0] + mass * body.velocity[0];
        println!(
            "{solver}, {drag}: {found} N s, of the body {:?} {:?}",
            body.velocity, body.angular_velocity
        );
        assert!(body.velocity[0] > 1.0, "{solver}, {drag}: {:?}", body.velocity);
        assert!((found / 80.0 - 1.0).abs() < 1e-4, "{solver}, {drag}: {found} of 80 N s");
    }
}

/// A wheel of four paddles on a hinge, which a jet from the side turns while its centre stays.
#[test]
fn a_jet_turns_a_wheel_on_a_hinge() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(
        r#"
solver = "mls_mpm"
dimensions = 2
particle_radius = 0.01
gravity = [0.0, -9.81, 0.0]
[domain]
min = [-0.5, -0.5, 0.0]
max = [0.5, 0.6, 0.0]
[time]
fps = 20.0
[[material]]
name = "water"
sound_speed = 30.0
[[body]]
shape.box = { min = [-0.25, -0.05, 0.0], max = [0.25, 0.05, 0.0] }
density = 500.0
hinge = [0.0, 0.0, 1.0]
[[emitter]]
mouth.rectangle = { width = 0.1, height = 0.1 }
center = [0.18, 0.5, 0.0]
velocity = [0.0, -2.0, 0.0]
"#,
    );
    let mut simulation = start(gpu, &scene);
    run_for(gpu, &mut simulation, 0.6);
    let body = &simulation.bodies()[0];
    println!("{body:?}");
    let largest =
        body.position.iter().chain(&body.velocity).fold(0.0, |most: f64, x| most.max(x.abs()));
    assert!(largest < 1e-6, "its centre is held");
    assert!(body.angular_velocity[2] < -2.0, "{:?}", body.angular_velocity);
}
