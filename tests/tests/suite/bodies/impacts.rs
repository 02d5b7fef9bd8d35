//! Bodies without fluid, beside what formulas say of them.

use conformance::{
    device::{Flavour, gpu},
    scenes::{parse, run_for, start},
};
use glam::DVec3;
use meniscus::{BodyReport, Gpu};

/// A room whose water never comes.
fn room(gravity: f64, rest: &str) -> String {
    format!(
        r#"
solver = "dfsph"
particle_radius = 0.02
gravity = [0.0, {gravity}, 0.0]
[domain]
min = [-2.0, -0.5, -2.0]
max = [2.5, 2.5, 2.0]
[[material]]
name = "water"
[[emitter]]
mouth.disc = {{ across = 3 }}
center = [-1.8, 2.0, -1.8]
velocity = [0.0, 1.0, 0.0]
start = 50.0
{rest}"#
    )
}

/// A ball of 10 cm, whose friction is 0.
fn ball(at: [f64; 3], speed: f64, density: f64, restitution: f64) -> String {
    format!(
        "[[body]]\nshape.sphere = {{ center = {at:?}, radius = 0.1 }}\ndensity = {density:?}\nrestitution = {restitution:?}\n\
         friction = 0.0\nvelocity = [{speed:?}, 0.0, 0.0]\n"
    )
}

fn after(gpu: &Gpu, text: &str, time: f64) -> Vec<BodyReport> {
    let mut simulation = start(gpu, &parse(text));
    run_for(gpu, &mut simulation, time);
    simulation.bodies()
}

#[test]
fn balls_leave_an_impact_as_momentum_and_restitution_say() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let pairs = [(1.0, 1000.0), (0.5, 1000.0), (0.0, 1000.0), (0.5, 3000.0)];
    let mut text = String::new();
    for (k, (restitution, density)) in pairs.into_iter().enumerate() {
        let z = -1.2 + 0.4 * k as f64;
        text += &ball([-0.8, 0.0, z], 1.0, 1000.0, restitution);
        text += &ball([-0.5, 0.0, z], 0.0, density, restitution);
    }
    // At 45°: the second goes along the line of centres, the first across it.
    text += &ball([-0.8, 0.0, 0.8], 1.0, 1000.0, 1.0);
    let across = 0.2 * 0.5_f64.sqrt();
    text += &ball([-0.8 + 0.2 + across, across, 0.8], 0.0, 1000.0, 1.0);
    let bodies = after(gpu, &room(0.0, &text), 0.5);
    let mut due = Vec::new();
    for (restitution, density) in pairs {
        let ratio = density / 1000.0;
        let second = (1.0 + restitution) / (1.0 + ratio);
        due.extend([DVec3::X * (1.0 - ratio * second), DVec3::X * second]);
    }
    due.extend([DVec3::new(0.5, -0.5, 0.0), DVec3::new(0.5, 0.5, 0.0)]);
    for (body, due) in bodies.iter().zip(due) {
        let (v, spin) = (DVec3::from(body.velocity), DVec3::from(body.angular_velocity));
        assert!(v.distance(due) < 0.01, "{}: {v} m/s, not {due}", body.name);
        assert!(spin.length() < 0.05, "{}: it spins by {spin} rad/s", body.name);
    }
}

#[test]
fn a_row_of_balls_passes_a_hit_on() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut text = String::new();
    for (z, gap, first) in [(-1.0, 0.0, 0.02), (0.0, 0.001, 0.001), (1.0, 0.02, 0.02)] {
        text += &ball([-1.5, 0.0, z], 1.0, 1000.0, 1.0);
        for k in 1..5 {
            let x = -1.5 + 0.2 * f64::from(k) + first + gap * f64::from(k - 1);
            text += &ball([x, 0.0, z], 0.0, 1000.0, 1.0);
        }
    }
    let bodies = after(gpu, &room(0.0, &text), 0.3);
    for row in bodies.chunks(5) {
        let speeds: Vec<_> = row.iter().map(|body| DVec3::from(body.velocity)).collect();
        let energy: f64 = speeds.iter().map(|v| v.length_squared()).sum();
        assert!(energy < 1.0 + 1e-3, "energy {energy} of 1: {speeds:?}");
        assert!(speeds[4].distance(DVec3::X) < 0.03, "{speeds:?}");
    }
}

#[test]
fn a_light_body_carries_a_heavy_one() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let stack = |x: f64, densities: &[f64]| -> String {
        densities.iter().enumerate().map(|(k, density)| {
            let (low, high) = (0.2 * k as f64, 0.2 * (k + 1) as f64);
            format!("[[body]]\nshape.box = {{ min = [{:?}, {low:?}, -0.1], max = [{:?}, {high:?}, 0.1] }}\ndensity = {density:?}\n", x - 0.1, x + 0.1)
        }).collect()
    };
    let floor =
        "[[boundary]]\nshape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }\n";
    let ten: Vec<_> = (0..10).map(|k| 300.0 + 200.0 * f64::from(k)).collect();
    let text =
        [floor, &stack(-1.0, &[250.0, 5000.0]), &stack(0.0, &[50.0, 5000.0]), &stack(1.0, &ten)]
            .concat();
    let mut simulation = start(gpu, &parse(&room(-9.81, &text)));
    let before = simulation.bodies();
    run_for(gpu, &mut simulation, 2.0);
    for (before, body) in before.iter().zip(simulation.bodies()) {
        let moved = DVec3::from(body.position) - DVec3::from(before.position);
        assert!(moved.length() < 0.002, "{} moved by {moved} m", body.name);
    }
}

#[test]
fn a_ball_comes_back_to_the_square_of_its_restitution() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let floor =
        "[[boundary]]\nshape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }\n";
    let text = [
        floor,
        &ball([-1.0, 1.1, 0.0], 0.0, 1000.0, 0.9),
        &ball([1.0, 1.1, 0.0], 0.0, 1000.0, 0.5),
    ]
    .concat();
    let mut simulation = start(gpu, &parse(&room(-9.81, &text)));
    let fall = (2.0_f64 / 9.81).sqrt();
    // Tops of the first and second rebound.
    let mut heights = vec![Vec::new(); 2];
    while simulation.time() < fall * (1.0 + 2.0 * 0.9 + 2.0 * 0.81) {
        run_for(gpu, &mut simulation, 1.0 / 60.0);
        for (heights, body) in heights.iter_mut().zip(simulation.bodies()) {
            heights.push((simulation.time(), body.position[1] - 0.1, body.velocity[1]));
        }
    }
    for (heights, e) in heights.iter().zip([0.9_f64, 0.5]) {
        for bounce in [1, 2] {
            // By the parabola through the frame in the middle of the flight.
            let begin = fall * (1.0 + 2.0 * if bounce == 2 { e } else { 0.0 });
            let middle = begin + fall * e.powi(bounce);
            let (_, h, v) = heights
                .iter()
                .copied()
                .min_by(|a, b| (a.0 - middle).abs().total_cmp(&(b.0 - middle).abs()))
                .unwrap();
            let top = h + v * v / (2.0 * 9.81);
            assert!(
                (top / e.powi(2 * bounce) - 1.0).abs() < 0.02,
                "e {e}, bounce {bounce}: {top} m"
            );
        }
    }
}

#[test]
fn a_ball_rolls_and_a_box_slides_or_stays_on_a_slope() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    // The slope is the floor, under a gravity that is turned.
    let slope = 20.0_f64.to_radians();
    let (along, down) = (9.81 * slope.sin(), -9.81 * slope.cos());
    let [sticks, slides] = [0.9, 1.1].map(|share| slope.tan() / share);
    let text = format!(
        "[[boundary]]\nshape.plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }}\n\
         [[body]]\nshape.sphere = {{ center = [-1.0, 0.1, -1.0], radius = 0.1 }}\ndensity = 1000\nfriction = 1.0\n\
         [[body]]\nshape.box = {{ min = [-1.1, 0.0, -0.1], max = [-0.9, 0.2, 0.1] }}\ndensity = 1000\nfriction = {sticks}\n\
         [[body]]\nshape.box = {{ min = [-1.1, 0.0, 0.9], max = [-0.9, 0.2, 1.1] }}\ndensity = 1000\nfriction = {slides}\n"
    );
    let text = room(0.0, &text)
        .replace("gravity = [0.0, 0, 0.0]", &format!("gravity = [{along}, {down}, 0.0]"));
    let mut simulation = start(gpu, &parse(&text));
    let before = simulation.bodies();
    let time = 0.5;
    run_for(gpu, &mut simulation, time);
    let bodies = simulation.bodies();
    let moved = |k: usize| DVec3::from(bodies[k].position) - DVec3::from(before[k].position);
    // A rolling ball turns 2/7 of the work into spin.
    let rolled = 0.5 * along * 5.0 / 7.0 * time * time;
    assert!((moved(0).x / rolled - 1.0).abs() < 0.015, "it rolls by {} m, not {rolled}", moved(0));
    assert!(moved(1).length() < 0.001, "it slides by {}", moved(1));
    let slid = 0.5 * (along + slides * down) * time * time;
    assert!((moved(2).x / slid - 1.0).abs() < 0.02, "it slides by {} m, not {slid}", moved(2));
}

/// A pyramid of 28 boxes, whose friction keeps it together.
#[test]
fn a_pyramid_stands() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut text = String::from(
        "[[boundary]]\nshape.plane = { point = [0.0, -0.4, 0.0], normal = [0.0, 1.0, 0.0] }\n",
    );
    let rows = (0..7).flat_map(|row| (0..7 - row).map(move |place| (row, place)));
    let places: Vec<_> = rows
        .map(|(row, place)| {
            [-1.0 + 0.12 * f64::from(row) + 0.24 * f64::from(place), -0.4 + 0.2 * f64::from(row)]
        })
        .collect();
    for [x, y] in &places {
        text += &format!(
            "[[body]]\nshape.box = {{ min = [{x:?}, {y:?}, -0.1], max = [{:?}, {:?}, 0.1] }}\ndensity = 1000.0\nfriction = 0.5\n",
            x + 0.2,
            y + 0.2
        );
    }
    for (body, [x, y]) in after(gpu, &room(-9.81, &text), 0.5).iter().zip(&places) {
        let way = DVec3::from(body.position) - DVec3::new(x + 0.1, y + 0.1, 0.0);
        assert!(way.length() < 0.002, "{}: {way} m off", body.name);
    }
}
