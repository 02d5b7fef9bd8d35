//! Contacts of bodies with each other and with walls.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, run_for, start},
};
use glam::DVec3;
use meniscus::{BodyReport, Gpu};

use super::angle;

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
fn a_ball_bounces_with_its_restitution() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for restitution in [0.0, 0.5, 0.9] {
        let text = format!(
            "{ROOM}[[body]]\nshape.sphere = {{ center = [1.0, 0.6, 0.0], radius = 0.2 }}\n\
             density = 500.0\nrestitution = {restitution}\n"
        );
        let mut simulation = start(gpu, &parse(&text));
        let (mut down, mut up) = (0.0_f64, 0.0_f64);
        // It falls 0.4 m in 0.286 s; watch it for a while after that.
        while simulation.time() < 0.45 {
            block_on(gpu, simulation.step(1)).unwrap();
            let body = &simulation.bodies()[0];
            let v = body.velocity[1];
            down = down.min(v);
            up = up.max(v);
            let low = body.position[1] - 0.2;
            assert!(low > -0.1 * 0.04, "{restitution}: {low} m into the floor");
            assert!(body.angular_velocity[2].abs() < 1e-3, "{restitution}: it spins");
        }
        // v = √(2 g 0.4 m), within the gravity of one step.
        assert!((down + (2.0 * 9.81 * 0.4_f64).sqrt()).abs() < 0.05, "{down}");
        let error = (up + restitution * down) / -down;
        assert!(error.abs() < 0.05, "{restitution}: {up} m/s after {down}");
    }
}

#[test]
fn stacked_boxes_stay_stacked() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let text = format!(
        "{ROOM}[[body]]\nshape.box = {{ min = [1.0, 0.001, 0.0], max = [1.4, 0.401, 0.0] }}\n\
         density = 700.0\n[[body]]\n\
         shape.box = {{ min = [1.05, 0.403, 0.0], max = [1.45, 0.703, 0.0] }}\ndensity = 900.0\n"
    );
    let mut simulation = start(gpu, &parse(&text));
    run_for(gpu, &mut simulation, 0.2);
    let before = simulation.bodies();
    run_for(gpu, &mut simulation, 2.0);
    for (before, after) in before.iter().zip(simulation.bodies()) {
        let moved = DVec3::from(after.position).distance(before.position.into());
        // Contacts creep and have some slack: a twentieth of a spacing, and a tenth over the width.
        assert!(moved < 0.002, "{} moved {moved} m", after.name);
        assert!(angle(&after).abs() < 0.01, "{} turned {}", after.name, angle(&after));
    }
}

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
