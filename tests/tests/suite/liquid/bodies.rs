//! Rigid bodies in liquids on a grid.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, run_for, start},
};

/// A plank in a basin, wherever its sides lie between cells, from a twentieth of water's density to just below it: a body that
/// is lighter than the water it moves would shake itself to pieces if it answered only after the pressure was found.
#[test]
fn planks_float_at_their_draft() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (width, height) = (0.36, 0.12);
    for (solver, density) in [("flip", 50.0), ("apic", 300.0), ("flip", 700.0)] {
        // The level stays, since the plank begins at its draft.
        let due = 0.3 + height / 2.0 - height * density / 1000.0;
        let (low, high) = (due - height / 2.0, due + height / 2.0);
        let scene = parse(&format!(
            r#"
solver = "{solver}"
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
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.8, 0.3, 0.0] }}
[[boundary]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.8, 0.8, 0.0] }}
[[body]]
shape.box = {{ min = [{}, {low}, 0.0], max = [{}, {high}, 0.0] }}
density = {density}
"#,
            0.4 - width / 2.0,
            0.4 + width / 2.0
        ));
        let mut simulation = start(gpu, &scene);
        let mut sum = 0.0;
        for frame in 0..32 {
            run_for(gpu, &mut simulation, 0.05);
            if frame >= 12 {
                sum += simulation.bodies()[0].position[1] / 20.0;
            }
        }
        let report = block_on(gpu, simulation.report()).expect("a report");
        println!("{solver}, {density} kg/m³: at {sum} m, due {due} m");
        assert_eq!(report.lost, 0);
        // 1.9 % of its height as measured over 4 s, 3 % of what is due.
        assert!((sum - due).abs() < 0.03 * height, "{solver}, {density}: {sum} m, due {due} m");
    }
}

/// A disc in a round tank without any air, from its first step on, whatever that is: of the water around it as much as (b² + a²)/(b² − a²)
/// of what it displaces moves with it. A cell of air beside either wall, or a tolerance that a short step does not reach, would let it
/// fall freely, by 3.25 times what is due.
#[test]
fn a_disc_in_a_full_tank_moves_what_is_around_it() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (a, b) = (0.1_f64, 0.3_f64);
    let added = (b * b + a * a) / (b * b - a * a);
    // 1.002, 1.016, 0.999 and 0.998 times.
    for (step, radius) in [(0.001, 0.005), (0.001, 0.01), (0.005, 0.005), (0.0002, 0.01)] {
        let scene = parse(&format!(
            r#"
solver = "apic"
dimensions = 2
particle_radius = {radius}
gravity = [0.0, -9.81, 0.0]
[domain]
min = [-0.4, -0.4, 0.0]
max = [0.4, 0.4, 0.0]
[time]
fps = 200.0
max_step = {step:?}
[[material]]
name = "water"
[[fluid]]
shape.sphere = {{ center = [0.0, 0.0, 0.0], radius = {b} }}
[[boundary]]
shape.sphere = {{ center = [0.0, 0.0, 0.0], radius = {b} }}
side = "inside"
[[body]]
shape.sphere = {{ center = [0.0, 0.0, 0.0], radius = {a} }}
density = 2000.0
"#
        ));
        let mut simulation = start(gpu, &scene);
        run_for(gpu, &mut simulation, 0.005);
        let due = -9.81 * 0.005 / (2.0 + added);
        let share = simulation.bodies()[0].velocity[1] / due;
        println!("steps of {step} s, radius {radius} m: {share} times what is due");
        assert!((share - 1.0).abs() < 0.03, "steps of {step} s, radius {radius} m: {share}");
    }
}

/// A body and the liquid around it fall together: nothing pushes either.
#[test]
fn body_and_liquid_fall_together() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(
        r#"
solver = "flip"
dimensions = 2
particle_radius = 0.01
gravity = [0.0, -9.81, 0.0]
[domain]
min = [-0.4, -0.6, 0.0]
max = [0.4, 0.4, 0.0]
[time]
fps = 100.0
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [-0.2, -0.2, 0.0], max = [0.2, 0.2, 0.0] }
[[body]]
shape.box = { min = [-0.07, -0.09, 0.0], max = [0.05, 0.07, 0.0] }
density = 200.0
"#,
    );
    let mut simulation = start(gpu, &scene);
    run_for(gpu, &mut simulation, 0.1);
    let body = &simulation.bodies()[0];
    println!("{:?} {:?}", body.velocity, body.angular_velocity);
    assert!((body.velocity[1] + 0.981).abs() < 1e-3 * 0.981, "{:?}", body.velocity);
    assert!(body.velocity[0].abs() < 1e-3 * 0.981, "{:?}", body.velocity);
}
