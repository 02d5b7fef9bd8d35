//! Open boundaries of liquids on a grid.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start, state},
};
use glam::{DVec2, Vec3};
use meniscus::{Gpu, Scene, Simulation, raw::model::probes};

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

/// Waves come in through one end of a flume by their rise and leave through the other, and both ends take what comes to them: the
/// waves have their height, and next to none run back.
#[test]
fn waves_come_in_and_leave() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (height, period, depth) = (0.06, 1.2, 0.3);
    let frequency = std::f64::consts::TAU / period;
    let number = meniscus::scene::wave_number(period, depth, 9.81);
    let mut scene = duct(
        "flip",
        "[[inlet]]\nside = \"-x\"\nlevel = 0.3\nabsorb = { period = 1.2 }\n\
         table = { file = \"none.csv\", of = \"rise\" }\n\
         [[outlet]]\nside = \"+x\"\nlevel = 0.3\nabsorb = { period = 1.2 }",
    );
    scene.gravity = [0.0, -9.81, 0.0];
    (scene.time.fps, scene.time.max_step) = (25.0, 0.01);
    scene.particle_radius = 0.01;
    scene.fluids[0] = meniscus::scene::Fluid::block([0.0; 3], [2.4, depth, 0.0]);
    scene.boundaries[0] = meniscus::scene::Boundary::tank([0.0; 3], [2.4, 0.5, 0.0]);
    let rise = |k: u32| {
        let time = f64::from(k) * 0.02;
        let grown = (time / period).min(1.0);
        [time, 0.5 * height * grown * (frequency * time).sin()]
    };
    let rows = (0..400).map(rise).collect();
    scene.inlets[0].table.as_mut().expect("a table").rows = meniscus::scene::Content::of(rows);
    let places = [0.5, 0.7, 0.9, 1.1, 1.3, 1.5, 1.7, 1.9];
    scene.probes = places
        .map(|x| meniscus::scene::Probe::Gauge {
            name: format!("at_{x}"),
            at: [x, 0.0, 0.0],
            average: 0.0,
        })
        .to_vec();
    let mut simulation = start(gpu, &scene);
    run(gpu, &mut simulation, 4.8);
    // Amplitude and phase Z at each place over two periods, as complex numbers.
    let turned = |angle: f64, z: DVec2| DVec2::from_angle(angle).rotate(z);
    let mut waves = [DVec2::ZERO; 8];
    for _ in 0..60 {
        block_on(gpu, simulation.next_frame()).unwrap_or_else(|error| panic!("{error}"));
        let rises = probes::values(&scene, simulation.setup(), &state(gpu, &simulation));
        for (wave, rise) in waves.iter_mut().zip(rises) {
            *wave += turned(-frequency * simulation.time(), DVec2::X) * rise / 30.0;
        }
    }
    // Least squares of Z = a e^(−ikx) + b e^(ikx).
    let mean = |way: f64| {
        let each = places.iter().zip(waves).map(|(x, wave)| turned(way * number * x, wave));
        each.sum::<DVec2>() / 8.0
    };
    let both = |way: f64| {
        let each = places.map(|x| turned(2.0 * way * number * x, DVec2::X));
        each.iter().sum::<DVec2>() / 8.0
    };
    let height_of = |way: f64| {
        let rest = mean(way) - both(way).rotate(mean(-way));
        2.0 * rest.length() / (1.0 - both(way).length_squared())
    };
    let (there, back) = (height_of(1.0), height_of(-1.0));
    println!("{there} m of {height} m, {back} m back");
    assert!((there / height - 1.0).abs() < 0.1, "{there} m of {height} m");
    assert!(back < 0.05 * height, "{back} m of {height} m come back");
}
