//! Scene heads, runs and read-backs that several tests share.

use glam::DVec3;
use meniscus::{Gpu, Simulation, State};
use meniscus_formats::scene_from_toml;
use meniscus_model::{
    Scene,
    mesh::TriangleMesh,
    methods::{Registry, sph},
    scene::{Boundary, Cuboid, Domain, Fluid, Material, MeshShape, Plane, Rotation, Shape, Vec3},
};

use crate::device::block_on;

/// Solvers with iterated pressures.
pub const INCOMPRESSIBLE: [&str; 3] = ["pcisph", "iisph", "dfsph"];

/// Solvers whose water comes to rest. With Müller's method it does not (docs/validation.md), and
/// bodies are thrown around.
pub const CALM: [&str; 4] = ["wcsph", "pcisph", "iisph", "dfsph"];

/// A basin with a box that floats in it.
pub const FLOATING: &str = r#"
dimensions = 2
particle_radius = 0.02
[time]
fps = 50.0
[wcsph]
sound_speed = 25.0
[[material]]
name = "water"
viscosity = 2.0
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [1.2, 0.32, 0.0] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [1.2, 0.8, 0.0] }
[[body]]
shape.box = { min = [0.2, 0.24, 0.0], max = [0.44, 0.36, 0.0] }
density = 600.0
"#;

/// All solvers of SPH.
pub fn solvers() -> impl Iterator<Item = &'static str> {
    let all: Vec<_> =
        Registry::standard().solvers(&sph::FAMILY).map(|method| method.name).collect();
    all.into_iter()
}

/// A scene from the text of a scene file.
///
/// # Panics
/// With the reader's message if the text is not a valid scene.
pub fn parse(text: &str) -> Scene {
    scene_from_toml("test.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

/// Water with the default viscosity.
pub fn water() -> Material {
    Material::new("water")
}

/// A box of fluid.
pub fn block(min: Vec3, max: Vec3) -> Fluid {
    Fluid::new(Shape::Box(Cuboid { min, max }))
}

/// A box that holds fluid.
pub fn tank(min: Vec3, max: Vec3) -> Boundary {
    container(Shape::Box(Cuboid { min, max }))
}

/// A shape that holds fluid, with the solver's default walls.
pub fn container(shape: Shape) -> Boundary {
    Boundary::container(shape)
}

/// The floor y = 0.
pub fn floor() -> Boundary {
    container(Shape::Plane(Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] }))
}

/// A small dam break: 1,000 particles.
pub fn dam() -> Scene {
    let mut scene = Scene::default();
    scene.particle_radius = 0.025;
    scene.materials = vec![water()];
    scene.fluids = vec![block([0.0; 3], [0.5; 3])];
    scene.boundaries = vec![tank([0.0; 3], [1.0, 1.0, 0.5])];
    scene
}

/// A cube of 12³ jittered particles without gravity or walls.
pub fn free_cube() -> Scene {
    let mut scene = Scene::default();
    scene.particle_radius = 0.01;
    scene.gravity = [0.0; 3];
    scene.materials = vec![water()];
    scene.fluids = vec![Fluid { jitter: 0.2, ..block([-0.12; 3], [0.12; 3]) }];
    scene.settings.set("muller.sound_speed", 5.0);
    scene
}

/// Jittered water in 2-D on a floor, periodic in x.
pub fn column(solver: &'static str, spacing: f64, width: f64, depth: f64) -> Scene {
    let mut scene = Scene::default();
    scene.dimensions = 2;
    scene.solver = solver.into();
    scene.particle_radius = spacing / 2.0;
    scene.materials = vec![water()];
    scene.fluids = vec![Fluid { jitter: 0.1, ..block([0.0; 3], [width, depth, 0.0]) }];
    scene.domain = Some(Domain {
        min: [0.0; 3],
        max: [width, 1.5 * depth, 0.0],
        periodic: [true, false, false],
    });
    scene.boundaries = vec![floor()];
    scene
}

/// The scene with each solver except Müller's.
pub fn others(scene: fn() -> Scene) -> impl Iterator<Item = Scene> {
    solvers().filter(|solver| *solver != "muller").map(move |solver| {
        let mut scene = scene();
        scene.solver = solver.into();
        scene
    })
}

/// A box between two corners as a mesh, rotated about its centre by an angle in degrees.
pub fn box_mesh([low, high]: [Vec3; 2], axis: Vec3, angle: f64) -> Shape {
    let mut mesh = MeshShape::new("cube.obj");
    mesh.scale = std::array::from_fn(|k| high[k] - low[k]);
    mesh.rotation = Rotation { axis, angle };
    mesh.translation = std::array::from_fn(|k| 0.5 * (low[k] + high[k]));
    mesh.fill_in(&cube());
    Shape::Mesh(mesh)
}

/// The cube of edge 1 about the origin.
pub fn cube() -> TriangleMesh {
    let corner = |k: usize| std::array::from_fn(|i| if k >> i & 1 == 0 { -0.5 } else { 0.5 });
    let corners: Vec<_> = (0..8).map(corner).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    TriangleMesh::new(&corners, &halves.collect::<Vec<_>>()).expect("a cube")
}

/// Starts a valid scene.
///
/// # Panics
/// With the error if it is not.
pub fn start(gpu: &Gpu, scene: &Scene) -> Simulation {
    block_on(gpu, Simulation::new(gpu, scene)).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs for a time in s.
///
/// # Panics
/// With the error if the simulation fails.
pub fn run_for(gpu: &Gpu, simulation: &mut Simulation, time: f64) {
    let end = simulation.time() + time;
    block_on(gpu, simulation.run_until(end)).unwrap_or_else(|error| panic!("{error}"));
}

/// The state of a simulation, read back.
///
/// # Panics
/// With the error if the device fails.
pub fn state(gpu: &Gpu, simulation: &Simulation) -> State {
    block_on(gpu, simulation.read()).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a scene for two times, all at once, in submissions of `steps` steps, and resumed and restored between both: the states must be equal. Returns the last run.
///
/// # Panics
/// If they are not, if the run has less than `least` steps, or with the error if a simulation fails.
pub fn same_bits(gpu: &Gpu, scene: &Scene, time: f64, steps: u32, least: u64) -> Simulation {
    let run = |steps: u32| {
        let mut simulation = start(gpu, scene);
        simulation.set_steps_per_submission(steps);
        run_for(gpu, &mut simulation, time);
        let middle = state(gpu, &simulation);
        run_for(gpu, &mut simulation, time);
        (middle, state(gpu, &simulation), simulation)
    };
    let (middle, whole, mut restored) = run(64);
    assert!(u64::from(whole.control.step) >= least, "enough to differ in");
    let (other_middle, other_whole, _) = run(steps);
    assert!(other_middle == middle && other_whole == whole, "submissions differ");
    let resumed = block_on(gpu, Simulation::resume(gpu, scene, &middle));
    let mut resumed = resumed.unwrap_or_else(|error| panic!("{error}"));
    run_for(gpu, &mut resumed, time);
    assert!(state(gpu, &resumed) == whole, "resuming changes the result");
    block_on(gpu, restored.restore(&middle)).unwrap_or_else(|error| panic!("{error}"));
    run_for(gpu, &mut restored, time);
    assert!(state(gpu, &restored) == whole, "restoring changes the result");
    resumed
}

/// Σ m v and Σ m |v| in f64, of fluid particles of one mass.
pub fn momentum(state: &State, mass: f64) -> (DVec3, f64) {
    let vectors = state.fluid().map(|own| DVec3::from(own.velocity.map(f64::from)));
    vectors.fold((DVec3::ZERO, 0.0), |(sum, size), v| (sum + mass * v, size + mass * v.length()))
}

/// Support radius of a scene in m.
#[must_use]
pub fn support_radius(scene: &Scene) -> f64 {
    let chosen = Registry::standard().choose(scene);
    chosen.unwrap_or_else(|problem| panic!("{problem}")).support_radius(scene)
}
