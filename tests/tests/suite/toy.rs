//! A user-defined method: it consists only of this file, with its twins, and its shaders in `toy/`
//! (docs/adding.md).
//!
//! Particles are warmed to T = 1 in each step, cooled in a loop until T is small enough, and repel
//! each other by the remaining T.

use conformance::{
    device::{Flavour, block_on, gpu},
    side_by_side::SideBySide,
};
use glam::DVec3;
use meniscus::{Gpu, Shaders, Simulation, raw::Reflection};
use meniscus_formats::{ParticleFormat, scene_with_methods, write_particles};
use meniscus_model::{
    Scene, Setup, check,
    methods::{
        Axis, Corrected, Key, Loop, Method, Number, Quantity, Registry, Scope, Solver, Sph,
        arrays::{Lane, Row},
        passes,
        space::{ONE, PARTICLES},
        sph::{FAMILY, euler_begin, euler_end, euler_kick},
        stage::{Entry, run, stage},
    },
    scene::Kernel,
};
use meniscus_reference::{Pair, Replica, Twins, World, kernels::Kernels};
use meniscus_render::{FluidBuffers, Offscreen, View};

const HEAT: Row = Row::new("toy_heat", "f32", PARTICLES).persistent().lanes(&[Lane {
    lanes: "x",
    quantity: "temperature",
    unit: "K",
}]);

static TOY: Method = Method {
    source: "nobody",
    help: "repels by warmth",
    keys: &[&[
        Key::number("share", [0.0, 1.0], 0.5, "Share of the warmth that an iteration leaves."),
        Key::number("strength", [0.0, 1e6], 100.0, "Pressure of a warm particle.").unit("Pa"),
        Key::number("max_error", [Key::POSITIVE, 100.0], 1.0, "Warmth that may be left.").unit("%"),
        Key::integer("min_iterations", 0, 1, "Least number of iterations."),
        Key::integer("max_iterations", 1, 50, "Largest number of iterations.")
            .at_least("min_iterations"),
    ]],
    numbers: &[
        Number::new("share", "share of the warmth that is left", |scene| scene.number("toy.share")),
        Number::new("strength", "pressure in Pa", |scene| scene.number("toy.strength")),
    ],
    arrays: &[&[HEAT, Row::new("cooling_residual", "f32", ONE)]],
    quantities: &[
        Quantity::new("heat", HEAT, "x", "what is left of the warmth").range(|_| [0.0, 0.01])
    ],
    passes: &[&[
        passes::each("toy/heat", PARTICLES),
        passes::each("toy/cool", PARTICLES),
        passes::single("toy/residual", ONE),
    ]],
    shaders: &[
        ("toy/heat", include_str!("toy/heat.wgsl")),
        ("toy/cool", include_str!("toy/cool.wgsl")),
        ("toy/residual", include_str!("toy/residual.wgsl")),
        ("terms/pressure_toy", include_str!("toy/pressure_toy.wgsl")),
    ],
    term: Some("pressure_toy"),
    loops: &[Loop {
        name: "cooling",
        tolerance: "max_error",
        least: "min_iterations",
        most: "max_iterations",
        warm_start: 0.0,
        shortens_step: true,
        energy: None,
    }],
    solver: Some(Solver {
        family: &FAMILY,
        stages,
        step_share: 0.1,
        sph: Some(Sph {
            corrected: Corrected::Density,
            kernel: Kernel::CubicSpline,
            first_drift: 0.0,
            sound: None,
            limited: false,
            opens: false,
            needs_viscosity: false,
            usual_viscosity: |_| 0.0,
        }),
    }),
    ..Method::new("toy", Axis::Solver)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    let mut list = euler_begin(scope, "sph/density");
    list.push(run("toy/heat"));
    let body = ["toy/cool", "toy/residual"].map(stage);
    list.push(Entry::repeat("cooling", "cooling_residual", body.to_vec()));
    list.extend(euler_kick(scope));
    list.extend(euler_end(scope));
    list
}

const SCENE: &str = r#"
solver = "toy"
particle_radius = 0.05
gravity = [0.0, 0.0, 0.0]
calibrate_density = false
time = { step = 0.001, fps = 1000.0 }
viscosity.model = "none"
tension.model = "none"
[toy]
share = 0.25
strength = 1e6
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.3, 0.3] }
"#;

/// The registry with the method, and its scene.
fn toy() -> (Registry, Scene) {
    let registry = Registry::standard().with(&TOY);
    let scene = scene_with_methods("toy.toml", SCENE, &registry).unwrap_or_else(|e| panic!("{e}"));
    (registry, scene)
}

/// The scene's simulation after its first frame.
fn after_a_frame(gpu: &Gpu, registry: &Registry, scene: &Scene) -> Simulation {
    let shaders = Shaders::standard();
    let start = Simulation::with_methods(gpu, scene, &shaders, registry);
    let mut simulation = block_on(gpu, start).unwrap_or_else(|error| panic!("{error}"));
    block_on(gpu, simulation.next_frame()).expect("a step");
    simulation
}

#[test]
fn a_method_runs_from_the_scene_to_the_log() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (registry, scene) = toy();
    let simulation = after_a_frame(gpu, &registry, &scene);
    let after = block_on(gpu, simulation.read()).expect("a state");

    // 100 % · 0.25^n is at most 1 % after four iterations; the log has the loop by its name.
    assert_eq!(simulation.setup().chosen.loops(), ["cooling"]);
    assert_eq!(simulation.control().loops[0].iterations, 4);
    let heat = 0.25_f64.powi(4);
    let bits = &after.arrays["toy_heat"];
    assert!(bits.iter().all(|bits| f64::from(f32::from_bits(*bits)) == heat));
}

/// The twins of its passes and of its term: f = −s Σ `V_j` (`T_i` + `T_j`) ∇W / ρ.
fn twins() -> Twins {
    fn live(world: &mut World) -> &mut [f64] {
        let count = world.control.particle_count as usize;
        &mut world.floats_mut("toy_heat")[..count]
    }
    fn force(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
        let (heat, kernels) = (world.floats("toy_heat"), Kernels::of(&world.params));
        let volume = |s: usize| world.sorted_position[s][3];
        let density = f64::from(world.params.materials[0].mass) / volume(i);
        let of_pair = |pair: &Pair| {
            volume(pair.j) * (heat[i] + heat[pair.j]) * kernels.pressure_gradient(pair.offset)
        };
        -world.number("toy.strength") / density * pairs.iter().map(of_pair).sum::<DVec3>()
    }
    Twins::standard()
        .with("toy/heat", |world| live(world).fill(1.0))
        .with("toy/cool", |world| {
            let share = world.number("toy.share");
            live(world).iter_mut().for_each(|heat| *heat *= share);
        })
        .with("toy/residual", |world| {
            world.floats_mut("cooling_residual")[0] = 100.0 * world.floats("toy_heat")[0];
        })
        .with_term("pressure_toy", force)
}

#[test]
fn its_steps_agree_with_its_twins() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (registry, scene) = toy();
    let shaders = Shaders::standard();
    let mut both = SideBySide::with_methods(gpu, &scene, &shaders, &registry, twins())
        .unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..3 {
        let difference = both.step().unwrap_or_else(|error| panic!("{error}"));
        assert!(difference.is_none(), "{}", difference.unwrap());
    }
    for stage in ["toy/heat", "toy/cool", "toy/residual", "sph/forces+pressure_toy"] {
        assert!(both.largest().contains_key(stage), "{stage} is not among {:?}", both.largest());
    }
    let world = &both.replica().world;
    assert_eq!((world.control.step, world.control.loops[0].iterations), (2, 4));
    let fastest = world.velocity.iter().map(|v| v[0].hypot(v[1]).hypot(v[2])).fold(0.0, f64::max);
    assert!(fastest > 1e-3, "they move with {fastest} m/s at most");
}

#[test]
fn a_pass_without_a_twin_is_named() {
    let (registry, scene) = toy();
    let setup = Setup::with_methods(&scene, &registry).expect("the scene is sound");
    let error = Replica::new(&setup).and_then(|mut replica| replica.step()).unwrap_err();
    assert!(error.to_string().contains("no pass `toy/heat`"), "{error}");
}

#[test]
fn its_quantity_is_drawn_written_and_logged() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (registry, scene) = toy();
    let simulation = after_a_frame(gpu, &registry, &scene);
    let heat = registry.quantity(&scene, "heat").expect("a quantity");
    let message = registry.quantity(&scene, "heet").expect_err("no such quantity");
    assert!(message.ends_with("id, material, acceleration, heat"), "{message}");
    assert_eq!(heat.unit(), "K");

    // What the log and particle files get: T is the same everywhere.
    let measured = block_on(gpu, simulation.measure(&[heat])).expect("read back");
    let expected = 0.25_f64.powi(4);
    assert_eq!([measured[0].mean, measured[0].max], [expected; 2]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("toy.csv");
    let state = block_on(gpu, simulation.read()).expect("a state");
    write_particles(&path, ParticleFormat::Csv, &state, &measured).expect("written");
    let text = std::fs::read_to_string(&path).expect("read");
    assert!(text.lines().next().is_some_and(|header| header.ends_with(",density,heat")), "{text}");
    assert!(text.lines().skip(1).all(|line| line.ends_with(&format!(",{expected}"))), "{text}");

    // Coloured by the ends of Viridis: violet at the lower end of the range, yellow at the upper.
    let mut offscreen = Offscreen::new(gpu, [160, 120]).expect("a target");
    let fluid = FluidBuffers::of(&simulation);
    let mut yellow = |range: [f64; 2]| {
        let range = Some(range.map(|end| end as f32));
        let camera = fluid.camera(4.0 / 3.0);
        let view =
            View { color: heat, range, camera, legend: false, ground: false, ..View::default() };
        let picture = block_on(gpu, offscreen.picture(&fluid, &view)).expect("a picture");
        picture.pixels().filter(|p| p[0] > p[2].saturating_add(60) && p[1] > p[2]).count()
    };
    assert_eq!(yellow([expected, 2.0 * expected]), 0);
    let found = yellow([0.0, expected]);
    assert!(found > 1000, "{found} yellow pixels");
}

#[test]
fn quantities_that_fit_nothing_are_refused() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let fails = |quantity: Quantity, expected: &str| {
        let quantities: &'static [Quantity] = Box::leak(Box::new([quantity]));
        let method: &'static Method = Box::leak(Box::new(Method { quantities, ..TOY }));
        let registry = Registry::standard().with(method);
        let scene = scene_with_methods("toy.toml", SCENE, &registry).expect("a scene");
        let shaders = Shaders::standard();
        let start = Simulation::with_methods(gpu, &scene, &shaders, &registry);
        let error = block_on(gpu, start).expect_err("it is refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    let nowhere = Row::new("nowhere", "f32", PARTICLES);
    let alone = Row::new("cooling_residual", "f32", ONE);
    fails(Quantity::new("q", nowhere, "x", ""), "no stage of the step uses array `nowhere`");
    fails(Quantity::new("q", alone, "x", ""), "does not have an element per particle");
    fails(Quantity::new("q", HEAT, "y", ""), "has no lanes `y`");
    fails(Quantity::new("speed", HEAT, "x", ""), "two quantities are named `speed`");
}

#[test]
fn its_keys_are_checked_like_all_others() {
    let registry = Registry::standard().with(&TOY);
    let problem = |from: &str, to: &str| {
        let text = SCENE.replace(from, to);
        let scene = scene_with_methods("toy.toml", &text, &registry).expect("its form is right");
        check::problems_with(&scene, &registry).first().map(ToString::to_string)
    };
    assert_eq!(problem("", ""), None);
    let says = |from: &str, to: &str, expected: &str| {
        let found = problem(from, to).unwrap_or_default();
        assert!(found.contains(expected), "{found}");
    };
    says("share = 0.25", "share = 2.0", "toy.share: must be from 0 to 1, not 2");
    says("share = 0.25", "sharee = 0.1", "toy.sharee: unknown key `sharee`; did you mean `share`?");
    says("share = 0.25", "max_iterations = 0", "toy.max_iterations: must be 1 or more, not 0");
    says("\"toy\"", "\"toi\"", "unknown solver `toi`; did you mean `toy`?");
    assert!(scene_with_methods("toy.toml", SCENE, &Registry::standard()).is_err());
}

#[test]
fn its_shaders_compose_and_validate() {
    let shaders = Shaders::standard().with_methods(&Registry::standard().with(&TOY));
    for pass in ["toy/heat", "toy/cool", "toy/residual", "sph/forces+pressure_toy"] {
        for subgroups in [false, true] {
            let composed = shaders.compose(pass, subgroups).unwrap_or_else(|e| panic!("{e}"));
            let module = composed.parse().unwrap_or_else(|error| panic!("{error}"));
            let reflection = Reflection::of(&composed, &module).expect("an interface");
            assert!(reflection.storage_buffers() <= 8, "{pass}");
        }
    }
}
