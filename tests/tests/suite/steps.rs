//! Whole steps: the GPU and the reference run the same list, stage by stage, from the same bits.

use conformance::{
    device::{Flavour, gpu},
    scenes::{parse, solvers},
    side_by_side::SideBySide,
};
use meniscus::shaders::Shaders;
use meniscus_model::Scene;

/// Runs the first pass over the pipeline and `steps` steps with the solver `name`.
fn agrees(scene: &Scene, name: &str, steps: u32) -> Option<SideBySide> {
    let gpu = gpu(Flavour::Default)?;
    let mut scene = scene.clone();
    scene.solver = name.into();
    let mut both = SideBySide::new(gpu, &scene, &Shaders::standard())
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    for _ in 0..=steps {
        match both.step() {
            Ok(None) => {}
            Ok(Some(difference)) => panic!("{name}: {difference}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    let control = &both.replica().world.control;
    assert_eq!((control.step, control.failure), (steps, 0), "{name}: every step is made");
    let loops = both.replica().setup.chosen.loops();
    assert!(both.largest().len() >= 20, "{name}: {:?}", both.largest());
    for (found, report) in loops.iter().zip(&control.loops) {
        assert!(report.iterations > 0, "{name}: the loop {found} has not run");
    }
    Some(both)
}

const HEAD: &str = r#"
particle_radius = 0.05
[time]
fps = 50.0
[wcsph]
sound_speed = 25.0
[viscosity]
model = ["muller", "artificial", "xsph"]
[muller]
sound_speed = 15.0
[[material]]
name = "water"
viscosity = 2.0
surface_tension = 0.5
"#;

/// Water in a tank of boundary particles, with a floating box and a ball resting on it.
#[test]
fn bodies_and_walls_of_particles() {
    let scene = parse(&format!(
        r#"{HEAD}
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.5, 0.4, 0.5] }}
jitter = 0.1
[[boundary]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.5, 1.2, 0.5] }}
response.particles = {{ friction = 0.1 }}
[[body]]
shape.box = {{ min = [0.113, 0.42, 0.127], max = [0.389, 0.561, 0.382] }}
density = 500.0
[[body]]
shape.sphere = {{ center = [0.247, 0.753, 0.251], radius = 0.12 }}
density = 700.0
"#
    ));
    for solver in solvers() {
        agrees(&scene, solver, 4);
    }
}

/// Water that is poured, drained and pushed around, with reflecting walls.
#[test]
fn emitters_drains_and_force_fields() {
    let scene = parse(&format!(
        r#"{HEAD}
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.5, 0.4, 0.5] }}
jitter = 0.1
[[boundary]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.6, 1.0, 0.6] }}
[[emitter]]
mouth.rectangle = {{ width = 0.3, height = 0.2 }}
center = [0.3, 0.8, 0.3]
velocity = [0.5, -3.0, 0.0]
[[drain]]
shape.sphere = {{ center = [0.12, 0.12, 0.12], radius = 0.1 }}
[[force]]
rotation = {{ center = [0.3, 0.3, 0.3], axis = [0.0, 1.0, 0.0], strength = 5.0, radius = 0.5 }}
"#
    ));
    for solver in solvers() {
        agrees(&scene, solver, 5);
    }
}

/// A periodic channel in 2-D.
#[test]
fn two_dimensions_and_a_periodic_axis() {
    let scene = parse(&format!(
        r#"dimensions = 2
{HEAD}
[domain]
min = [-0.5, -0.1, 0.0]
max = [0.5, 1.0, 0.0]
periodic = [true, false, false]
[[fluid]]
shape.box = {{ min = [-0.5, 0.0, 0.0], max = [0.5, 0.8, 0.0] }}
velocity = [1.0, 0.0, 0.0]
jitter = 0.1
[[boundary]]
shape.plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }}
[[body]]
shape.sphere = {{ center = [0.45, 0.9, 0.0], radius = 0.15 }}
density = 500.0
"#
    ));
    for solver in solvers() {
        agrees(&scene, solver, 4);
    }
}

/// If the neighbour lists have too little room, the step stalls until there is more.
#[test]
fn room_for_neighbours_grows() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(&format!(
        "{HEAD}\n[[fluid]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [0.5, 0.5, 0.5] }}\njitter = 0.1"
    ));
    let mut both = SideBySide::new(gpu, &scene, &Shaders::standard()).unwrap();
    both.replica_mut().world.neighbours.truncate(10);
    for _ in 0..2 {
        let difference = both.step().unwrap();
        if let Some(difference) = difference {
            panic!("{difference}");
        }
    }
    let world = &both.replica().world;
    assert!(world.neighbours.len() > 10, "10 entries sufficed");
}

/// A shader with a slightly wrong constant is found, and the pass and array are named.
#[test]
fn a_changed_shader_is_named() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(&format!(
        "{HEAD}\n[[fluid]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [0.5, 0.5, 0.5] }}\njitter = 0.1"
    ));
    let mut shaders = Shaders::standard();
    let text = meniscus_wgsl::file("sph/density").expect("the pass");
    let changed = text.replacen("* sum *", "* 1.0001 * sum *", 1);
    assert_ne!(changed, text, "sph/density no longer says `* sum *`");
    shaders.insert("sph/density", changed);
    let mut both = SideBySide::new(gpu, &scene, &shaders).unwrap();
    let difference = both.step().unwrap().expect("an error of 1e-4 is found");
    assert_eq!((difference.stage.as_str(), difference.array.as_str()), ("sph/density", "density"));
    assert!(difference.id.is_some(), "{difference}");
}
