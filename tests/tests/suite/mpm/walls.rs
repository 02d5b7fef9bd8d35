//! What rests at walls, and what flows in below a surface.

use conformance::device::block_on;
use conformance::{
    device::{Flavour, gpu},
    scenes::{parse, run_for, start, state},
};
use meniscus::{Gpu, Simulation, State};

/// A box in 2-D with its floor this far below the faces of the cells, in cells.
fn tank(gpu: &Gpu, below: f64, more: &str) -> Simulation {
    let floor = -0.04 * below;
    let scene = parse(&format!(
        r#"
solver = "mls_mpm"
dimensions = 2
particle_radius = 0.01
gravity = [0.0, -9.81, 0.0]
[domain]
min = [0.0, -0.04, 0.0]
max = [0.4, 0.6, 0.0]
[time]
fps = 20.0
[[boundary]]
shape.box = {{ min = [0.0, {floor}, 0.0], max = [0.4, 0.6, 0.0] }}
{more}
"#
    ));
    start(gpu, &scene)
}

/// Height of each particle above the floor in m, with its pressure in Pa.
fn particles(state: &State, below: f64) -> Vec<(f64, f64)> {
    let of = |i| (state.world_position(i)[1] + 0.04 * below, f64::from(state.velocity()[i][3]));
    (0..state.particle_count()).map(of).collect()
}

/// Pressure of the lower half of water 0.24 m deep, from half a spacing above the floor on, wherever the floor cuts the cells;
/// and its level. Due is ρ g h within 5 %; the level sinks by less than one in a hundred of the depth.
#[test]
fn water_presses_down_to_its_floor() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for below in [0.0, 0.3, 0.6] {
        let floor = -0.04 * below;
        let top = floor + 0.24;
        let mut water = tank(
            gpu,
            below,
            &format!(
                "[[material]]\nname = \"water\"\nsound_speed = 25.0\n[[fluid]]\nshape.box = {{ min = [0.0, {floor}, 0.0], max = \
                 [0.4, {top}, 0.0] }}\n"
            ),
        );
        run_for(gpu, &mut water, 1.5);
        let found = particles(&state(gpu, &water), below);
        let level = found.iter().map(|(y, _)| *y).fold(0.0, f64::max) + 0.01;
        assert!((level / 0.24 - 1.0).abs() < 0.01, "{below}: the level is {level} m");
        for layer in 0..6 {
            let low = 0.02 * f64::from(layer);
            let inside: Vec<_> =
                found.iter().filter(|(y, _)| (low..low + 0.02).contains(y)).collect();
            let count = inside.len() as f64;
            let due = inside.iter().map(|(y, _)| 9810.0 * (0.24 - y)).sum::<f64>() / count;
            let error = inside.iter().map(|(_, p)| p).sum::<f64>() / count / due - 1.0;
            println!("{below}, layer {layer}: {:+.2} %", 100.0 * error);
            assert!(error.abs() < 0.05, "{below}, layer {layer}: {:.1} % off", 100.0 * error);
        }
    }
}

/// Snow that falls rests on the floor and not on its cells: its lowest particles are half a spacing above it, within a
/// twentieth of one (its weight compresses it by 0.4 %).
#[test]
fn snow_rests_on_its_floor() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for below in [0.0, 0.4] {
        let block = "[[material]]\nname = \"snow\"\nmodel = \"snow\"\n[[fluid]]\nshape.box = { min = [0.1, 0.06, 0.0], max = \
                     [0.3, 0.2, 0.0] }\n";
        let mut snow = tank(gpu, below, block);
        run_for(gpu, &mut snow, 0.5);
        let found = particles(&state(gpu, &snow), below);
        let lowest = found.iter().map(|(y, _)| *y).fold(f64::INFINITY, f64::min);
        println!("{below}: {lowest} m");
        assert!((lowest - 0.01).abs() < 0.001, "{below}: {lowest} m above the floor");
    }
}

/// A column of sand half as high as wide, on a floor of which nothing is said, comes to rest as a heap. Its top stays (Lube,
/// Huppert, Sparks, Freundt 2005, for columns up to 1.15 times as high as half their width) to within a cell, and its foot spreads by
/// at most 1.2 times its height.
#[test]
fn sand_rests_as_a_heap() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(
        r#"
solver = "mls_mpm"
dimensions = 2
particle_radius = 0.005
[domain]
min = [-0.5, -0.1, 0.0]
max = [0.5, 0.3, 0.0]
[time]
fps = 20.0
[[material]]
name = "sand"
model = "sand"
[[fluid]]
shape.box = { min = [-0.1, 0.0, 0.0], max = [0.1, 0.1, 0.0] }
[[boundary]]
shape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }
"#,
    );
    let mut heap = start(gpu, &scene);
    run_for(gpu, &mut heap, 1.5);
    let last = state(gpu, &heap);
    let places: Vec<_> = (0..last.particle_count()).map(|i| last.world_position(i)).collect();
    let top = places.iter().map(|x| x[1]).fold(0.0, f64::max) + 0.005;
    let mut aside: Vec<_> = places.iter().map(|x| x[0].abs()).collect();
    aside.sort_by(f64::total_cmp);
    // Of all but the last hundredth, which rolls.
    let half = aside[aside.len() * 99 / 100];
    assert!(top > 0.08 && half < 0.22, "{top} m high, {half} m to each side");
    let energy = block_on(gpu, heap.report()).unwrap().kinetic_energy;
    // All of it at 1 mm/s.
    let mass = 1600.0 * 0.02;
    assert!(energy < 0.5 * mass * 1e-6, "{energy} J");
}

/// A mouth inside water raises its level by what it emits: 0.04 m² into a tank 0.4 m wide, 0.1 m, within 2 %, and packs none of
/// it: layers of two cells hold what is due within an eighth in its lower half.
#[test]
fn a_mouth_below_the_surface_fills_the_tank() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut water = tank(
        gpu,
        0.0,
        r#"
[[material]]
name = "water"
sound_speed = 25.0
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.2, 0.0] }
[[emitter]]
mouth.rectangle = { width = 0.08, height = 0.08 }
center = [0.2, 0.1, 0.0]
velocity = [0.5, 0.0, 0.0]
max_particles = 100
"#,
    );
    run_for(gpu, &mut water, 5.0);
    let last = state(gpu, &water);
    assert_eq!(last.particle_count(), 300, "all are emitted");
    let found = particles(&last, 0.0);
    // Twice the mean height, and so without the surface's waves.
    let level = 2.0 * found.iter().map(|(y, _)| *y).sum::<f64>() / found.len() as f64;
    println!("level {level} m");
    assert!((level / 0.3 - 1.0).abs() < 0.02, "the level is {level} m");
    // The lower half of the depth, by two cells, as layers of one sway by a row of particles.
    for layer in 0..2 {
        let low = 0.08 * f64::from(layer);
        let count = found.iter().filter(|(y, _)| (low..low + 0.08).contains(y)).count() as f64;
        println!("layer {layer}: {}", count / 80.0);
        assert!((count / 80.0 - 1.0).abs() < 0.125, "layer {layer} holds {count} of 80 particles");
    }
}

/// The impulse on a tank and on a post is what the water loses of its momentum and weight, while a column collapses.
#[test]
fn walls_get_the_momentum_that_the_water_loses() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["mls_mpm", "classic_mpm"] {
        let scene = parse(&format!(
            r#"
solver = "{solver}"
dimensions = 2
particle_radius = 0.01
time = {{ fps = 20.0 }}
[[material]]
name = "water"
[[fluid]]
shape.box = {{ min = [0.0, 0.0], max = [0.3, 0.4] }}
[[boundary]]
name = "tank"
shape.box = {{ min = [0.0, 0.0], max = [0.8, 0.8] }}
[[boundary]]
name = "post"
side = "outside"
shape.box = {{ min = [0.5, -0.1], max = [0.6, 0.2] }}
"#
        ));
        let mut simulation = start(gpu, &scene);
        let mut before = [0.0; 3];
        for frame in 1..=10 {
            block_on(gpu, simulation.next_frame()).unwrap();
            let report = block_on(gpu, simulation.report()).unwrap();
            let forces = simulation.forces();
            let weight = 1000.0 * 9.81 * 0.3 * 0.4;
            for (axis, pull) in [(0, 0.0), (1, -weight)] {
                let due = pull - 20.0 * (report.momentum[axis] - before[axis]);
                let found: f64 = forces.iter().map(|force| force.mean_force[axis]).sum();
                println!("{solver}, {frame}: {found} N of {due} along {axis}");
                assert!((found - due).abs() < 4e-6 * weight, "{frame}: {found} N of {due}");
            }
            before = report.momentum;
        }
    }
}
