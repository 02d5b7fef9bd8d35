//! Scenes from calm to absurd, with all solvers, walls, bodies, meshes, emitters and drains.

use conformance::scenes::{cube, solvers};
use meniscus_model::{
    Scene,
    scene::{
        Body, Boundary, Capsule, Cuboid, Cylinder, Domain, Drain, Emitter, Fluid, Force, Kernel,
        Material, MeshShape, Motion, Mouth, Plane, Polygon, Response, Rotation, Shape, Side,
        Sphere, Time, Turn, Value, Vec3,
    },
};
use proptest::{collection::vec, option, prelude::*, sample::select};

/// Lengths are in particle spacings until a scene scales them; the world is ±HALF of them wide.
const HALF: f64 = 20.0;
/// Blocks stand in a row along x, each in its own stretch of this length.
const STRETCH: f64 = 13.0;

/// Uniform distribution over orders of magnitude.
pub(super) fn decades(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.log10()..high.log10()).prop_map(|exponent| 10.0_f64.powf(exponent))
}

pub(super) fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    [-size..size, -size..size, -size..size]
}

/// Velocity, from 0 to violent.
fn velocity() -> impl Strategy<Value = Vec3> {
    (decades(1e-3, 1e5), vector(1.0)).prop_map(|(speed, v)| v.map(|v| speed * v))
}

fn material() -> impl Strategy<Value = Material> {
    let tension = prop_oneof![Just(0.0), decades(1e-3, 1e2)];
    let viscosity = option::of(decades(1e-4, 1e4));
    (decades(1.0, 1e4), viscosity, tension).prop_map(|(rest_density, viscosity, tension)| {
        Material { rest_density, viscosity, surface_tension: tension, ..Material::new("") }
    })
}

/// Size in particles, position, velocity and jitter of a block.
fn block() -> impl Strategy<Value = (Vec3, Vec3, Vec3, f64)> {
    let size = prop_oneof![[1..=5, 1..=5, 1..=5], [1..=12, 1..=12, 1..=1]];
    let jitter = prop_oneof![Just(0.0), 0.0..0.5];
    (size, vector(6.0), velocity(), jitter)
        .prop_map(|(size, place, velocity, jitter)| (size.map(f64::from), place, velocity, jitter))
}

fn response() -> impl Strategy<Value = Option<Response>> {
    let reflect = (0.0..=1.0, decades(1e-2, 1e2))
        .prop_map(|(restitution, friction)| Response::Reflect { restitution, friction });
    let spring = (decades(1.0, 1e6), decades(1e-2, 1e3))
        .prop_map(|(stiffness, damping)| Response::Spring { stiffness, damping });
    let particles = prop_oneof![
        decades(1e-2, 1e2).prop_map(|friction| Response::Particles { friction, no_slip: false }),
        Just(Response::Particles { friction: 0.0, no_slip: true }),
    ];
    option::weighted(0.7, prop_oneof![reflect, spring, particles])
}

pub(super) fn solver() -> impl Strategy<Value = &'static str> {
    select(solvers().collect::<Vec<_>>())
}

/// Mesh of a box with these half widths, whose triangles [`scale`] fills in.
fn mesh(center: Vec3, half: Vec3, axis: Vec3, angle: f64) -> Shape {
    let mut mesh = MeshShape::new("cube.obj");
    mesh.scale = half.map(|x| 2.0 * x);
    mesh.rotation = Rotation { axis, angle };
    mesh.translation = center;
    Shape::Mesh(mesh)
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
        (
            place(),
            [0.5 * size..size, 0.5 * size..size, 0.5 * size..size],
            vector(1.0),
            -180.0..180.0
        )
            .prop_map(|(at, half, axis, angle)| mesh(at, half, axis, angle)),
    ]
}

/// Any motion, in spacings and seconds.
fn motion() -> impl Strategy<Value = Motion> {
    let center = || option::of(vector(HALF));
    prop_oneof![
        velocity().prop_map(|velocity| Motion::Translate { velocity }),
        (vector(4.0), decades(1e-2, 10.0)).prop_map(|(amplitude, period)| Motion::Sway {
            amplitude,
            period,
            phase: 0.0
        }),
        (center(), vector(1.0), decades(1e-1, 1e3))
            .prop_map(|(center, axis, speed)| Motion::Rotate { center, axis, speed }),
        (center(), vector(1.0), -90.0..90.0, decades(1e-2, 10.0))
            .prop_map(|(center, axis, angle, period)| Motion::rock(center, axis, angle, period)),
    ]
}

/// A body about its own origin: free, fixed or driven.
fn body() -> impl Strategy<Value = Body> {
    let free = (decades(10.0, 1e5), velocity(), vector(100.0), 0.0..=1.0, 0.0..2.0).prop_map(
        |(density, velocity, angular_velocity, restitution, friction)| Body {
            density: Some(density),
            velocity,
            angular_velocity,
            restitution,
            friction,
            ..Body::new(Shape::Sphere(Sphere { center: [0.0; 3], radius: 1.0 }))
        },
    );
    let still = Body::new(Shape::Sphere(Sphere { center: [0.0; 3], radius: 1.0 }));
    let held = Just(Body { fixed: true, ..still.clone() });
    let driven = motion().prop_map(move |motion| Body { motion: vec![motion], ..still.clone() });
    let turn = option::of((vector(1.0), -180.0..180.0));
    (prop_oneof![3 => free, 1 => held, 1 => driven], shape(0.5, 1.5), turn, option::of(0.0..2.0))
        .prop_map(|(body, shape, turn, drag)| Body {
            shape,
            rotation: turn.map(|(axis, angle)| Turn { axis, angle }),
            drag: drag.unwrap_or(0.0),
            contact_angle: None,
            ..body
        })
}

fn boundary() -> impl Strategy<Value = Boundary> {
    let container = (shape(0.1, 1.5 * HALF), Just(Side::Inside));
    let obstacle = (shape(HALF, 4.0), Just(Side::Outside));
    let still = Just([0.0; 3]);
    let velocity = prop_oneof![still.boxed(), velocity().boxed()];
    (prop_oneof![container, obstacle], velocity, response(), vec(motion(), 0..=1)).prop_map(
        |((shape, side), velocity, response, motion)| Boundary {
            side,
            velocity,
            motion,
            response,
            ..Boundary::container(shape)
        },
    )
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
        Emitter { max_particles: Some(most), ..Emitter::new(mouth, center, velocity) }
    })
}

fn time() -> impl Strategy<Value = Time> {
    // Fixed steps reach from much too short to much too long.
    (decades(10.0, 1e3), option::of(decades(1e-5, 1.0)), 0.1..2.0)
        .prop_map(|(fps, step, cfl)| Time { fps, step, cfl, ..Time::default() })
}

/// Solver, and keys of its methods.
fn methods() -> impl Strategy<Value = Scene> {
    let kernel =
        option::of(select(Kernel::ALL.iter().map(|(_, kernel)| *kernel).collect::<Vec<_>>()));
    let eos = (any::<[bool; 2]>(), option::of(decades(1e-2, 1e6)), option::of(decades(0.1, 1e4)));
    let tait = (1.0..10.0_f64, any::<[bool; 2]>(), 0.0..1.0_f64, 0.0..0.5_f64);
    let loops = (decades(1e-4, 10.0), 1..=4u32, 0..=20u32);
    (solver(), kernel, eos, tait, loops).prop_map(|(solver, kernel, eos, tait, loops)| {
        let ([calibrated, negative], stiffness, speed) = eos;
        let (gamma, [continuity, pulls], alpha, xsph) = tait;
        let (error, least, more) = loops;
        let mut scene = Scene::default();
        scene.solver = solver.into();
        (scene.kernel, scene.calibrate_density) = (kernel, calibrated);
        let mut set = |name: &str, value: Value| scene.settings.set(name, value);
        let models = ["muller", "artificial", "xsph"].map(str::to_owned);
        set("viscosity.model", Value::Texts(models.into()));
        set("viscosity.alpha", alpha.into());
        set("viscosity.xsph", xsph.into());
        match solver {
            "muller" => {
                set("muller.negative_pressure", negative.into());
                if let Some(stiffness) = stiffness {
                    set("muller.stiffness", stiffness.into());
                }
            }
            "wcsph" => {
                set("wcsph.gamma", gamma.into());
                set("wcsph.negative_pressure", pulls.into());
                set("wcsph.density", if continuity { "continuity" } else { "summation" }.into());
                if let Some(speed) = speed {
                    set("wcsph.sound_speed", speed.into());
                }
            }
            _ => {
                set(&format!("{solver}.max_error"), error.into());
                set(&format!("{solver}.min_iterations"), i64::from(least).into());
                set(&format!("{solver}.max_iterations"), i64::from(least + more).into());
            }
        }
        scene
    })
}

/// Bodies and their positions; none in most scenes, since they must fit into containers.
fn some_bodies() -> impl Strategy<Value = Vec<(Body, Vec3)>> {
    prop_oneof![3 => Just(Vec::new()), 2 => vec((body(), vector(12.0)), 1..=2)]
}

/// Any scene.
pub(super) fn scene() -> impl Strategy<Value = Scene> {
    let numbers = (2..=3u32, decades(2e-3, 0.2), option::of(1.1..3.0), any::<bool>());
    let matter = (vec(material(), 1..=2), vec(block(), 1..=3), some_bodies());
    let world = (vec(boundary(), 0..=4), vec(force(), 0..=3), any::<[bool; 3]>(), vector(20.0));
    let flow = (option::weighted(0.3, emitter()), option::weighted(0.3, shape(HALF, 4.0)));
    let all = (methods(), numbers, matter, world, flow, time());
    all.prop_map(|(mut scene, numbers, matter, world, flow, time)| {
        let (dimensions, radius, support, domain) = numbers;
        let (materials, blocks, bodies) = matter;
        let (boundaries, forces, periodic, gravity) = world;
        scene.dimensions = dimensions;
        scene.particle_radius = radius;
        scene.support_radius = support.map(|spacings| 2.0 * radius * spacings);
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
        for (i, (mut body, [_, y, z])) in bodies.into_iter().enumerate() {
            move_by(&mut body.shape, [STRETCH * i as f64 - 0.5 * STRETCH, y, z]);
            scene.bodies.push(body);
        }
        scene.forces = forces;
        scene.emitters.extend(flow.0);
        scene.drains.extend(flow.1.map(|shape| Drain { shape, outside: false }));
        scale(&mut scene);
        scene
    })
}

/// Moves a shape.
fn move_by(shape: &mut Shape, [x, y, z]: Vec3) {
    let add = |p: &mut Vec3| *p = [p[0] + x, p[1] + y, p[2] + z];
    match shape {
        Shape::Box(Cuboid { min: a, max: b })
        | Shape::Cylinder(Cylinder { start: a, end: b, .. })
        | Shape::Capsule(Capsule { start: a, end: b, .. }) => {
            add(a);
            add(b);
        }
        Shape::Sphere(Sphere { center, .. }) => add(center),
        Shape::Mesh(mesh) => add(&mut mesh.translation),
        Shape::Plane(Plane { point, .. }) => add(point),
        Shape::Polygon(polygon) => add(&mut polygon.translation),
        Shape::Points(_) => {}
    }
}

/// Replacement for a shape that does not exist in 2-D.
fn flattened(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Mesh(mesh) => {
            let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
            let corners = corners.map(|[x, y]| [x * mesh.scale[0], y * mesh.scale[1]]);
            let polygon = Polygon { translation: mesh.translation, ..Polygon::new(corners) };
            Some(Shape::Polygon(polygon))
        }
        Shape::Cylinder(Cylinder { start, end, radius }) => {
            Some(Shape::Capsule(Capsule { start: *start, end: *end, radius: *radius }))
        }
        _ => None,
    }
}

/// From spacings to metres, and into the plane in 2-D.
pub(super) fn scale(scene: &mut Scene) {
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
    let shape = |shape: &mut Shape| {
        if let Some(other) = flattened(shape).filter(|_| flat) {
            *shape = other;
        }
        match shape {
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
            Shape::Mesh(mesh) => {
                place(&mut mesh.translation);
                mesh.scale = mesh.scale.map(|x| spacing * x);
                mesh.fill_in(&cube());
            }
            Shape::Polygon(polygon) => {
                place(&mut polygon.translation);
                polygon.points.iter_mut().for_each(place);
                polygon.fill_in(None);
            }
            // Random scenes have none.
            Shape::Points(_) => {}
            Shape::Cylinder(Cylinder { start, end, radius })
            | Shape::Capsule(Capsule { start, end, radius }) => {
                place(start);
                place(end);
                *radius *= spacing;
            }
        }
    };
    let upright = |axis: &mut Vec3| {
        if flat {
            *axis = [0.0, 0.0, axis[2]];
        }
    };
    let motion = |motion: &mut Motion| match motion {
        Motion::Translate { velocity } => flatten(velocity),
        Motion::Sway { amplitude, .. } => place(amplitude),
        Motion::Rotate { center, axis, .. } | Motion::Rock { center, axis, .. } => {
            center.iter_mut().for_each(place);
            upright(axis);
        }
        // Random scenes have none.
        Motion::Keyframes { .. } | Motion::Table { .. } | Motion::Frames { .. } => {}
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
        boundary.motion.iter_mut().for_each(motion);
    }
    for body in &mut scene.bodies {
        shape(&mut body.shape);
        flatten(&mut body.velocity);
        upright(&mut body.angular_velocity);
        body.motion.iter_mut().for_each(motion);
        if let Some(turn) = &mut body.rotation {
            upright(&mut turn.axis);
        }
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
                upright(axis);
            }
            Force::Sponge { start, end, .. } => {
                place(start);
                place(end);
            }
            Force::Wind { .. } => {}
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
