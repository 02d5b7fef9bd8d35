//! Whole steps side by side: neighbour lists that grow, and a difference that is named.

use conformance::{
    cases::Case,
    device::{Flavour, gpu},
    scenes::parse,
    side_by_side::SideBySide,
};
use glam::DVec3;
use meniscus::{FluidMesh, Shaders, Simulation, SurfaceOptions, blocking::block_on};
use meniscus_model::Scene;

fn block() -> Scene {
    parse(
        r#"
solver = "muller"
particle_radius = 0.05
[time]
fps = 50.0
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.5, 0.5, 0.5] }
jitter = 0.1
"#,
    )
}

/// If the neighbour lists have too little room, the step stalls until there is more.
#[test]
fn room_for_neighbours_grows() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut both = SideBySide::new(gpu, &block(), &Shaders::standard()).unwrap();
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
    let mut shaders = Shaders::standard();
    let text = meniscus_wgsl::file("sph/density").expect("the pass");
    let changed = text.replacen("* sum *", "* 1.00001 * sum *", 1);
    assert_ne!(changed, text, "sph/density no longer says `* sum *`");
    shaders.insert("sph/density", changed);
    let mut both = SideBySide::new(gpu, &block(), &shaders).unwrap();
    let difference = both.step().unwrap().expect("an error of 1e-5 is found");
    assert_eq!((difference.stage.as_str(), difference.array.as_str()), ("sph/density", "density"));
    assert!(difference.id.is_some(), "{difference}");
}

/// The share of close particles is that of the positions read back, at the start, after steps, a surface and a resumption.
#[test]
fn close_particles_are_those_of_the_positions() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = Case::read("crowd").with("dfsph");
    let due = |simulation: &Simulation| {
        let state = block_on(gpu, simulation.read()).unwrap();
        let all: Vec<_> = state.fluid().map(|one| DVec3::from(one.position)).collect();
        let near = |a: usize, b: usize| a != b && all[a].distance(all[b]) < scene.particle_radius;
        let close = |a: &usize| (0..all.len()).any(|b| near(*a, b));
        (0..all.len()).filter(close).count() as f64 / all.len() as f64
    };
    let mut simulation = block_on(gpu, Simulation::new(gpu, &scene)).unwrap();
    let found = |simulation: &mut Simulation| {
        let (got, due) = (block_on(gpu, simulation.report()).unwrap().close, due(simulation));
        assert_eq!(got, Some(due), "at {} s", simulation.time());
        due
    };
    assert_eq!(found(&mut simulation), 0.0, "the lattice of the start");
    block_on(gpu, simulation.step(4)).unwrap();
    assert!(found(&mut simulation) > 0.1, "two emitters in one place");
    let mut surface = FluidMesh::new(gpu, &simulation, &SurfaceOptions::default()).unwrap();
    block_on(gpu, surface.read(&simulation)).unwrap();
    found(&mut simulation);
    let state = block_on(gpu, simulation.read()).unwrap();
    let mut resumed = block_on(gpu, Simulation::resume(gpu, &scene, &state)).unwrap();
    found(&mut resumed);
    // A report changes nothing.
    for simulation in [&mut simulation, &mut resumed] {
        block_on(gpu, simulation.step(3)).unwrap();
    }
    let [a, b] = [&simulation, &resumed].map(|one| block_on(gpu, one.read()).unwrap());
    assert_eq!(a.arrays, b.arrays);
}
