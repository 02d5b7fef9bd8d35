//! Contacts of bodies with each other and with walls.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, run_for, start},
};
use glam::DVec3;
use meniscus::{BodyReport, Gpu};

/// A dry 2-D room with a puddle in a corner, since a scene needs fluid.
const ROOM: &str = r#"
dimensions = 2
particle_radius = 0.02
solver = "dfsph"
[time]
fps = 50.0
max_step = 0.004
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [3.0, 0.0, 0.0], max = [3.2, 0.04, 0.0] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [3.2, 3.0, 0.0] }
"#;

#[test]
fn a_pile_of_boxes_comes_to_rest() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut text = ROOM.to_owned();
    // Ten boxes in different orientations fall onto each other.
    for k in 0..10 {
        let (x, y) = (1.2 + 0.33 * f64::from(k % 3), 0.3 + 0.35 * f64::from(k / 3));
        text += &format!(
            "[[body]]\nshape.box = {{ min = [{x}, {y}, 0.0], max = [{}, {}, 0.0] }}\n\
             rotation = {{ axis = [0.0, 0.0, 1.0], angle = {} }}\ndensity = 600\n",
            x + 0.24,
            y + 0.16,
            40 * (k % 4) - 50,
        );
    }
    let mut simulation = start(gpu, &parse(&text));
    run_for(gpu, &mut simulation, 4.5);
    let before = simulation.bodies();
    run_for(gpu, &mut simulation, 0.5);
    for (before, after) in before.iter().zip(simulation.bodies()) {
        let moved = DVec3::from(after.position).distance(before.position.into());
        // A quarter of a spacing in half a second.
        assert!(moved < 0.01, "{} moved {moved} m", after.name);
        assert!(after.position[1] > 0.08 - 0.01, "{} is in the floor", after.name);
    }
}

/// Speed that a fifth exceed, lowest height and least distance of two bodies in a heap of a hundred boxes and discs of four spacings in ten
/// layers, after 1.5 s; of `density` by number.
fn heap(gpu: &Gpu, density: fn(u32) -> f64) -> [f64; 3] {
    let mut text = ROOM.replace("[3.0, ", "[0.9, ").replace("[3.2, ", "[1.0, ");
    text = text.replace("particle_radius = 0.02", "particle_radius = 0.01");
    text += "[[boundary]]\nshape.box = { min = [0.84, 0.0, 0.0], max = [0.9, 3.0, 0.0] }\nside = \"outside\"\n";
    for k in 0..100 {
        let (x, y) = (0.06 + 0.08 * f64::from(k % 10), 0.06 + 0.09 * f64::from(k / 10));
        let shape = match (k + k / 10) % 2 {
            0 => format!("sphere = {{ center = [{x}, {y}, 0.0], radius = 0.036 }}"),
            _ => format!(
                "box = {{ min = [{}, {}, 0.0], max = [{}, {}, 0.0] }}",
                x - 0.034,
                y - 0.034,
                x + 0.034,
                y + 0.034
            ),
        };
        text += &format!("[[body]]\nshape.{shape}\ndensity = {}\n", density(k));
    }
    let mut simulation = start(gpu, &parse(&text));
    run_for(gpu, &mut simulation, 1.5);
    let bodies = simulation.bodies();
    let speed = |body: &BodyReport| DVec3::from(body.velocity).length();
    let mut speeds: Vec<_> = bodies.iter().map(speed).collect();
    speeds.sort_by(f64::total_cmp);
    let lively = speeds[speeds.len() * 4 / 5];
    let lowest = bodies.iter().map(|body| body.position[1]).fold(1.0, f64::min);
    let mut nearest = f64::MAX;
    for (k, body) in bodies.iter().enumerate() {
        for other in &bodies[..k] {
            let apart = DVec3::from(body.position).distance(other.position.into());
            nearest = nearest.min(apart);
        }
    }
    [lively, lowest, nearest]
}

/// The lowest carry the others, and none is in another or in the floor by more than a tenth of a spacing. Discs roll on for a while.
#[test]
fn a_heap_of_a_hundred_bodies_comes_to_rest() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let [lively, lowest, nearest] = heap(gpu, |_| 500.0);
    assert!(lively < 0.01, "{lively} m/s");
    assert!(lowest > 0.034 - 0.002, "{lowest} m");
    assert!(nearest > 0.068 - 0.002, "{nearest} m");
}

/// Light bodies carry heavy ones of forty times their density.
#[test]
fn a_heap_of_mixed_densities_carries_itself() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let densities = |k: u32| [50.0, 1500.0, 200.0, 2000.0, 100.0, 900.0, 500.0][k as usize % 7];
    // A fifth of a spacing; the uppermost still roll.
    let [_, lowest, nearest] = heap(gpu, densities);
    assert!(lowest > 0.034 - 0.004, "{lowest} m");
    assert!(nearest > 0.068 - 0.004, "{nearest} m");
}

/// A hundred boxes and discs of four spacings in ten layers, of 50 to 2000 kg/m³, fall into water; with Jacobi iterations of the
/// pressure the step fell to nothing.
#[test]
fn a_hundred_bodies_of_mixed_densities_fall_into_water() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut text =
        ROOM.replace("[3.0, 0.0, 0.0], max = [3.2, 0.04,", "[0.0, 0.0, 0.0], max = [1.0, 0.6,");
    text = text.replace("max = [3.2, 3.0,", "max = [1.0, 2.6,");
    text = text.replace("particle_radius = 0.02", "particle_radius = 0.01");
    for k in 0..100 {
        let (x, y) = (0.05 + 0.1 * f64::from(k % 10), 0.67 + 0.1 * f64::from(k / 10));
        let shape = match (k + k / 10) % 2 {
            0 => format!("sphere = {{ center = [{x}, {y}, 0.0], radius = 0.04 }}"),
            _ => format!(
                "box = {{ min = [{}, {}, 0.0], max = [{}, {}, 0.0] }}",
                x - 0.04,
                y - 0.04,
                x + 0.04,
                y + 0.04
            ),
        };
        let density = [50.0, 1500.0, 200.0, 2000.0, 100.0, 900.0, 500.0][k as usize % 7];
        text += &format!("[[body]]\nshape.{shape}\ndensity = {density}\n");
    }
    let mut simulation = start(gpu, &parse(&text));
    run_for(gpu, &mut simulation, 0.3);
    // No faster than a fall from rest over all that time.
    let speeds = simulation.bodies().into_iter().map(|body| DVec3::from(body.velocity).length());
    let fastest = speeds.fold(0.0, f64::max);
    assert!(fastest < 9.81 * 0.3 + 0.5, "{fastest} m/s");
    assert_eq!(block_on(gpu, simulation.report()).unwrap().lost, 0);
}
