//! Open boundaries of liquids on a grid.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start, state},
};
use glam::Vec3;
use meniscus::{Gpu, Scene, Simulation, model::probes};

fn run(gpu: &Gpu, simulation: &mut Simulation, time: f64) {
    block_on(gpu, simulation.run_until(time)).unwrap_or_else(|error| panic!("{error}"));
}

/// A duct of 1 m by 0.3 m full of water that moves at 0.5 m/s.
fn duct(solver: &str, open: &str) -> Scene {
    parse(&format!(
        r#"
solver = "{solver}"
dimensions = 2
particle_radius = 0.0125
gravity = [0.0, 0.0]
[time]
fps = 1.0
max_step = 0.1
[[material]]
name = "water"
[[fluid]]
shape.box = {{ min = [0.0, 0.0], max = [1.0, 0.3] }}
velocity = [0.5, 0.0]
[[boundary]]
shape.box = {{ min = [0.0, 0.0], max = [1.0, 0.3] }}
{open}
"#
    ))
}

/// What comes in leaves, and nothing else happens, over ten lengths of the duct. The mass in the duct swings by the particles of a
/// layer at most, 12 of 480; emitters beside water compressed it by a third.
#[test]
fn a_full_duct_keeps_its_mass_and_its_profile() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["apic", "flip", "eulerian"] {
        let scene =
            duct(solver, "[[inlet]]\nside = \"-x\"\nvelocity = 0.5\n[[outlet]]\nside = \"+x\"");
        let mut simulation = start(gpu, &scene);
        run(gpu, &mut simulation, 20.0);
        let report = block_on(gpu, simulation.report()).expect("a report");
        let [inlet, outlet] = &report.openings[..] else { panic!("two open boundaries") };
        println!("{solver}: {} particles, {} m² in, {} out", report.fluid, inlet.came, outlet.left);
        assert!((inlet.came / 3.0 - 1.0).abs() < 0.01, "{solver}: {} m² of 3", inlet.came);
        assert!((outlet.left / 3.0 - 1.0).abs() < 0.01, "{solver}: {} m² of 3", outlet.left);
        assert_eq!((inlet.left, outlet.came), (0.0, 0.0));
        let state = state(gpu, &simulation);
        let far = |p: &Vec3| (*p - Vec3::new(0.5, 0.0, 0.0)).length() / 0.5;
        let worst = state.fluid().map(|p| far(&Vec3::from_array(p.velocity))).fold(0.0, f32::max);
        assert!(worst < 0.03, "{solver}: {worst} off the velocity");
    }
}

/// A closed duct drinks from an inlet that follows a table, and the level beyond an outlet lets water in.
#[test]
fn water_comes_by_a_table_and_by_the_pressure_of_a_level() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = duct(
        "flip",
        "[[inlet]]\nside = \"-x\"\ntable = { file = \"none.csv\" }\n[[outlet]]\nside = \"+x\"",
    );
    let rows = vec![[0.0, 0.5], [1.0, 0.5], [3.0, 1.0]];
    scene.inlets[0].table.as_mut().expect("a table").rows = meniscus::scene::Content::of(rows);
    let mut simulation = start(gpu, &scene);
    run(gpu, &mut simulation, 5.0);
    let report = block_on(gpu, simulation.report()).expect("a report");
    // 0.5 m for 1 s, 0.75 m/s in the mean for 2 s, 1 m/s for 2 s.
    let due = 0.3 * (0.5 + 1.5 + 2.0);
    assert!(
        (report.openings[0].came / due - 1.0).abs() < 0.02,
        "{} of {due}",
        report.openings[0].came
    );

    let mut scene = duct("apic", "[[outlet]]\nside = \"+x\"\nlevel = 0.25");
    scene.gravity = [0.0, -9.81, 0.0];
    scene.fluids[0] = meniscus::scene::Fluid::block([0.0; 3], [1.0, 0.15, 0.0]);
    scene.probes = vec![meniscus::scene::Probe::Gauge {
        name: "level".into(),
        at: [0.5, 0.0, 0.0],
        average: 0.0,
    }];
    scene.time.fps = 10.0;
    let mut simulation = start(gpu, &scene);
    run(gpu, &mut simulation, 3.0);
    let mut level = 0.0;
    for _ in 0..50 {
        block_on(gpu, simulation.next_frame()).unwrap_or_else(|error| panic!("{error}"));
        level += probes::values(&scene, simulation.setup(), &state(gpu, &simulation))[0] / 50.0;
    }
    println!("{level} m");
    // It sways about the level for long; within half a cell.
    assert!((level - 0.25).abs() < 0.025, "{level} m of 0.25");
}

/// A stream between a rate and a level keeps both.
#[test]
fn a_stream_keeps_its_rate_and_level() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let open =
        "[[inlet]]\nside = \"-x\"\nrate = 0.1\nlevel = 0.2\n[[outlet]]\nside = \"+x\"\nlevel = 0.2";
    let mut scene = duct("apic", open);
    scene.gravity = [0.0, -9.81, 0.0];
    scene.fluids[0] = meniscus::scene::Fluid {
        velocity: [0.5, 0.0, 0.0],
        ..meniscus::scene::Fluid::block([0.0; 3], [1.0, 0.2, 0.0])
    };
    scene.probes = vec![meniscus::scene::Probe::Gauge {
        name: "level".into(),
        at: [0.5, 0.0, 0.0],
        average: 0.0,
    }];
    let mut simulation = start(gpu, &scene);
    run(gpu, &mut simulation, 6.0);
    let report = block_on(gpu, simulation.report()).expect("a report");
    let level = probes::values(&scene, simulation.setup(), &state(gpu, &simulation))[0];
    let [inlet, outlet] = &report.openings[..] else { panic!("two open boundaries") };
    println!("{level} m, {} m² in, {} out", inlet.came, outlet.left - outlet.came);
    assert!((inlet.came / 0.6 - 1.0).abs() < 0.02, "{} of 0.6", inlet.came);
    assert!(((outlet.left - outlet.came) / 0.6 - 1.0).abs() < 0.04, "{} of 0.6", outlet.left);
    assert!((level - 0.2).abs() < 0.0125, "{level} m of 0.2");
}
