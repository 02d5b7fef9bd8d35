//! Random scenes, from calm to absurd: a run ends with finite numbers or with a sentence.

use std::cell::Cell;

use conformance::device::{Flavour, block_on, gpu};
use meniscus::{Error, Gpu, Simulation};
use meniscus_model::{
    Scene, check,
    params::RUNAWAY_CELLS,
    scene::{
        Boundary, Capsule, Cuboid, Cylinder, Domain, Drain, Emitter, Fluid, Force, Material, Mouth,
        Plane, Response, Shape, Side, Sphere, Time, Vec3,
    },
};
use proptest::{
    collection::vec,
    option,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};

/// Lengths are in particle spacings until a scene scales them; the world is ±HALF of them wide.
const HALF: f64 = 20.0;
/// Blocks stand in a row along x, each in its own stretch of this length.
const STRETCH: f64 = 13.0;

/// Evenly over orders of magnitude.
fn decades(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.log10()..high.log10()).prop_map(|exponent| 10.0_f64.powf(exponent))
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    [-size..size, -size..size, -size..size]
}

/// From still to violent.
fn velocity() -> impl Strategy<Value = Vec3> {
    (decades(1e-3, 1e5), vector(1.0)).prop_map(|(speed, v)| v.map(|v| speed * v))
}

fn material() -> impl Strategy<Value = Material> {
    let tension = prop_oneof![Just(0.0), decades(1e-3, 1e2)];
    let viscosity = option::of(decades(1e-4, 1e4));
    (decades(1.0, 1e4), viscosity, tension).prop_map(|(rest_density, viscosity, tension)| {
        Material { name: String::new(), rest_density, viscosity, surface_tension: tension }
    })
}

/// Size in particles, place and velocity of a block.
fn block() -> impl Strategy<Value = (Vec3, Vec3, Vec3, f64)> {
    let size = prop_oneof![[1..=5, 1..=5, 1..=5], [1..=12, 1..=12, 1..=1]];
    let jitter = prop_oneof![Just(0.0), 0.0..0.5];
    (size, vector(6.0), velocity(), jitter)
        .prop_map(|(size, place, velocity, jitter)| (size.map(f64::from), place, velocity, jitter))
}

fn response() -> impl Strategy<Value = Response> {
    let reflect = (0.0..=1.0, decades(1e-2, 1e2))
        .prop_map(|(restitution, friction)| Response::Reflect { restitution, friction });
    let spring = (decades(1.0, 1e6), decades(1e-2, 1e3))
        .prop_map(|(stiffness, damping)| Response::Spring { stiffness, damping });
    prop_oneof![reflect, spring]
}

/// Any shape, about as large as `size` spacings around a place within `reach`.
fn shape(reach: f64, size: f64) -> impl Strategy<Value = Shape> {
    let place = || vector(reach);
    prop_oneof![
        (place(), 0.5 * size..size).prop_map(|(at, half)| Shape::Box(Cuboid {
            min: at.map(|x| x - half),
            max: at.map(|x| x + half)
        })),
        (place(), size..1.9 * size)
            .prop_map(|(center, radius)| Shape::Sphere(Sphere { center, radius })),
        vector(0.3).prop_map(|n| Shape::Plane(Plane {
            point: [0.0, -HALF, 0.0],
            normal: [n[0], 1.0, n[2]]
        })),
        (place(), place(), 0.5 * size..1.5 * size).prop_map(move |(at, axis, radius)| {
            Shape::Cylinder(Cylinder { start: [at[0], at[1] - size, axis[2]], end: axis, radius })
        }),
        (place(), place(), 0.5 * size..1.9 * size)
            .prop_map(|(start, end, radius)| Shape::Capsule(Capsule { start, end, radius })),
    ]
}

fn boundary() -> impl Strategy<Value = Boundary> {
    let container = (shape(0.1, 1.5 * HALF), Just(Side::Inside));
    let obstacle = (shape(HALF, 4.0), Just(Side::Outside));
    let still = Just([0.0; 3]);
    (prop_oneof![container, obstacle], prop_oneof![still.boxed(), velocity().boxed()], response())
        .prop_map(|((shape, side), velocity, response)| Boundary {
            shape,
            side,
            velocity,
            motion: Vec::new(),
            response: Some(response),
        })
}

fn force() -> impl Strategy<Value = Force> {
    let strength =
        || (decades(1e-1, 1e5), any::<bool>()).prop_map(|(s, up)| if up { s } else { -s });
    prop_oneof![
        velocity().prop_map(|acceleration| Force::Uniform { acceleration }),
        (vector(HALF), strength(), 1.0..HALF)
            .prop_map(|(center, strength, radius)| Force::Attract { center, strength, radius }),
        (vector(HALF), vector(1.0), strength(), 1.0..HALF).prop_map(
            |(center, axis, strength, radius)| Force::Rotation { center, axis, strength, radius }
        ),
    ]
}

fn emitter() -> impl Strategy<Value = Emitter> {
    let mouth = prop_oneof![
        [1.0..5.0, 1.0..5.0].prop_map(|[width, height]| Mouth::Rectangle { width, height }),
        (0.6..3.0).prop_map(|radius| Mouth::Circle { radius }),
    ];
    (mouth, vector(6.0), velocity(), 30u32..100).prop_map(|(mouth, center, velocity, most)| {
        let end = f64::INFINITY;
        Emitter {
            material: None,
            mouth,
            center,
            velocity,
            start: 0.0,
            end,
            up: None,
            max_particles: Some(most),
            max_live: None,
        }
    })
}

fn time() -> impl Strategy<Value = Time> {
    // Fixed steps reach from much too short to much too long.
    (decades(10.0, 1e3), option::of(decades(1e-5, 1.0)), 0.1..2.0)
        .prop_map(|(fps, step, cfl)| Time { fps, step, cfl, ..Time::default() })
}

fn scene() -> impl Strategy<Value = Scene> {
    let numbers = (2..=3u32, decades(2e-3, 0.2), option::of(1.1..3.0), any::<[bool; 4]>());
    let matter = (vec(material(), 1..=2), vec(block(), 1..=3), option::of(decades(1e-2, 1e6)));
    let world = (vec(boundary(), 0..=4), vec(force(), 0..=3), any::<[bool; 3]>(), vector(20.0));
    let flow = (option::weighted(0.3, emitter()), option::weighted(0.3, shape(HALF, 4.0)));
    (numbers, matter, world, flow, time()).prop_map(|(numbers, matter, world, flow, time)| {
        let (dimensions, radius, support, [calibrated, negative, domain, _]) = numbers;
        let (materials, blocks, stiffness) = matter;
        let (boundaries, forces, periodic, gravity) = world;
        let mut scene = Scene::default();
        scene.dimensions = dimensions;
        scene.particle_radius = radius;
        scene.support_radius = support.map(|spacings| 2.0 * radius * spacings);
        scene.calibrate_density = calibrated;
        scene.settings.set("muller.negative_pressure", negative);
        if let Some(stiffness) = stiffness {
            scene.settings.set("muller.stiffness", stiffness);
        }
        scene.gravity = gravity;
        scene.time = time;
        scene.domain = domain.then_some(Domain { min: [-HALF; 3], max: [HALF; 3], periodic });
        scene.materials = materials;
        for (i, material) in scene.materials.iter_mut().enumerate() {
            material.name = format!("material {i}");
        }
        let last = scene.materials[scene.materials.len() - 1].name.clone();
        for (i, (size, place, velocity, jitter)) in blocks.into_iter().enumerate() {
            let min = [STRETCH * i as f64 - HALF + 0.5, place[1] - 6.0, place[2]];
            let shape = Shape::Box(Cuboid { min, max: std::array::from_fn(|k| min[k] + size[k]) });
            let material = (i % 2 == 1).then(|| last.clone());
            scene.fluids.push(Fluid { material, velocity, jitter, ..Fluid::new(shape) });
        }
        scene.boundaries = boundaries;
        scene.forces = forces;
        scene.emitters.extend(flow.0);
        scene.drains.extend(flow.1.map(|shape| Drain { shape, outside: false }));
        scale(&mut scene);
        scene
    })
}

/// From spacings to metres, and into the plane in 2-D.
fn scale(scene: &mut Scene) {
    let (spacing, flat) = (scene.spacing(), scene.dimensions == 2);
    let flatten = |v: &mut Vec3| {
        if flat {
            v[2] = 0.0;
        }
    };
    let place = |v: &mut Vec3| {
        *v = v.map(|x| spacing * x);
        flatten(v);
    };
    let shape = |shape: &mut Shape| match shape {
        Shape::Box(Cuboid { min, max }) => {
            place(min);
            place(max);
        }
        Shape::Sphere(Sphere { center, radius }) => {
            place(center);
            *radius *= spacing;
        }
        Shape::Plane(Plane { point, normal }) => {
            place(point);
            flatten(normal);
        }
        // None is made at random.
        Shape::Mesh(_) | Shape::Points(_) => {}
        Shape::Cylinder(Cylinder { start, end, radius })
        | Shape::Capsule(Capsule { start, end, radius }) => {
            place(start);
            place(end);
            *radius *= spacing;
        }
    };
    flatten(&mut scene.gravity);
    if let Some(domain) = &mut scene.domain {
        place(&mut domain.min);
        place(&mut domain.max);
        domain.periodic[2] &= !flat;
    }
    for fluid in &mut scene.fluids {
        shape(&mut fluid.shape);
        flatten(&mut fluid.velocity);
    }
    for boundary in &mut scene.boundaries {
        shape(&mut boundary.shape);
        flatten(&mut boundary.velocity);
    }
    for force in &mut scene.forces {
        match force {
            Force::Uniform { acceleration } => flatten(acceleration),
            Force::Attract { center, radius, .. } => {
                place(center);
                *radius *= spacing;
            }
            Force::Rotation { center, axis, radius, .. } => {
                place(center);
                *radius *= spacing;
                if flat {
                    *axis = [0.0, 0.0, axis[2]];
                }
            }
        }
    }
    for emitter in &mut scene.emitters {
        place(&mut emitter.center);
        flatten(&mut emitter.velocity);
        match &mut emitter.mouth {
            Mouth::Rectangle { width, height } => {
                *width *= spacing;
                *height *= spacing;
            }
            Mouth::Circle { radius } => *radius *= spacing,
            Mouth::Disc { .. } => {}
        }
    }
    for drain in &mut scene.drains {
        shape(&mut drain.shape);
    }
}

/// How a run may end.
#[derive(Clone, Copy, Debug)]
enum End {
    Refused,
    Failed,
    Finite,
}

fn run(gpu: &Gpu, scene: &Scene) -> Result<End, TestCaseError> {
    // A step that the CFL condition refuses is taken all the same, as a window could set it.
    let mut scene = scene.clone();
    let refused = |scene: &Scene| {
        let mut problems = check::problems(&scene).into_iter();
        problems.any(|problem| problem.path == "time.step" && problem.message.contains("CFL"))
    };
    let too_long = if refused(&scene) { scene.time.step.take() } else { None };
    let scene = &scene;
    let problems = check::problems(&scene);
    let simulation = block_on(gpu, Simulation::new(gpu, scene));
    let mut simulation = match simulation {
        Ok(simulation) => simulation,
        Err(Error::Scene(_)) if !problems.is_empty() => return Ok(End::Refused),
        // Even the evaluation at time 0 may fail.
        Err(Error::Failed(sentence)) => return failed(&sentence.to_string()),
        Err(error) => return Err(TestCaseError::fail(format!("{error:?}"))),
    };
    prop_assert!(problems.is_empty(), "{problems:?}");
    if let Some(step) = too_long {
        simulation.set_params(|params| params.time.fixed_step = step as f32);
    }
    match block_on(gpu, simulation.step(30)) {
        Ok(()) => {}
        Err(Error::Failed(sentence)) => {
            prop_assert!(simulation.control().failure != 0);
            return failed(&sentence.to_string());
        }
        Err(error) => return Err(TestCaseError::fail(format!("{error:?}"))),
    }
    let state = block_on(gpu, simulation.read());
    let state = state.map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    prop_assert!(state.control.failure == 0 && state.control.step == 30);
    prop_assert!(state.time().is_finite() && state.control.max_speed().is_finite());
    let params = &simulation.setup().params;
    for (i, (place, velocity)) in state.position().iter().zip(state.velocity()).enumerate() {
        let numbers = place.iter().chain(velocity);
        prop_assert!(numbers.clone().all(|x| x.is_finite()), "{i}: {place:?} {velocity:?}");
        let place = glam::Vec3::from_slice(place);
        let cell = ((place - params.grid.origin) * params.grid.inverse_cell).floor().abs();
        prop_assert!(cell.max_element() < RUNAWAY_CELLS as f32, "{i} is at {place}");
    }
    Ok(End::Finite)
}

fn failed(sentence: &str) -> Result<End, TestCaseError> {
    let says = |part: &str| sentence.contains(part);
    prop_assert!(says("step ") && says("t = ") && says("try "), "{sentence}");
    prop_assert!(!says("unknown"), "{sentence}");
    Ok(End::Failed)
}

#[test]
fn random_scenes_stay_finite_or_say_why_not() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    // The same scenes each time, and no files.
    let cases = if std::env::var_os("MENISCUS_FULL").is_some() { 256 } else { 64 };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let (refused, failures, finite) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let result = TestRunner::new_with_rng(config, random).run(&scene(), |scene| {
        let counter = match run(gpu, &scene)? {
            End::Refused => &refused,
            End::Failed => &failures,
            End::Finite => &finite,
        };
        counter.set(counter.get() + 1);
        Ok(())
    });
    if let Err(TestError::Fail(reason, scene)) = &result {
        panic!("{reason}\n{scene:#?}");
    }
    assert!(result.is_ok(), "{result:?}");
    // Each of the three ends is met, or the scenes would prove little.
    let ends = (refused.get(), failures.get(), finite.get());
    println!("{} refused, {} failed, {} finite", ends.0, ends.1, ends.2);
    assert!(ends.0 >= 1 && ends.1 >= 4 && ends.2 >= 16, "{ends:?}");
}
