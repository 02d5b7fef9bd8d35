//! Solids that move, and bodies that the fluid moves.

use conformance::device::{Flavour, block_on, gpu};
use glam::{DQuat, DVec3, Vec3};
use meniscus::{Gpu, Pull, Simulation};
use meniscus_formats::scene_from_toml;
use meniscus_model::{
    BodyReport, Scene,
    mesh::TriangleMesh,
    params::{self, kind},
    scene::{Body, MeshShape, Rotation, Shape, Solver, Turn},
};

const SOLVERS: [Solver; 5] =
    [Solver::Muller, Solver::Wcsph, Solver::Pcisph, Solver::Iisph, Solver::Dfsph];

fn scene(text: &str) -> Scene {
    scene_from_toml("test.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

fn start(gpu: &Gpu, scene: &Scene) -> Simulation {
    block_on(gpu, Simulation::new(gpu, scene)).unwrap()
}

/// Bodies as the GPU has them.
fn bodies(gpu: &Gpu, simulation: &Simulation) -> Vec<params::Body> {
    let state = block_on(gpu, simulation.read()).unwrap();
    bytemuck::pod_collect_to_vec(bytemuck::cast_slice::<u32, u8>(&state.arrays["bodies"]))
}

fn vector([x, y, z, _]: [f32; 4]) -> DVec3 {
    Vec3::new(x, y, z).as_dvec3()
}

/// A drop, at rest without gravity; bodies are added.
const DROP: &str = r#"
particle_radius = 0.02
gravity = [0.0, 0.0, 0.0]
domain = { min = [-1.0, -1.0, -1.0], max = [1.0, 1.0, 1.0] }
[time]
fps = 100.0
max_step = 0.002
[muller]
sound_speed = 10.0
[wcsph]
sound_speed = 10.0
[[material]]
name = "water"
viscosity = 0.0
[[fluid]]
shape.box = { min = [-0.2, -0.16, -0.16], max = [0.0, 0.16, 0.16] }
velocity = [1.0, 0.0, 0.0]
"#;

#[test]
fn torque_free_spin_keeps_momentum_and_energy() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    // About the middle axis, which is unstable: the body tumbles over again and again.
    let text = format!(
        "{DROP}[[body]]\nshape.box = {{ min = [0.5, 0.5, 0.5], max = [0.7, 0.8, 0.9] }}\n\
         density = 500.0\nrotation = {{ axis = [1.0, 2.0, 3.0], angle = 40.0 }}\n\
         angular_velocity = [1.0, 20.0, 0.5]\n"
    );
    for solver in [Solver::Dfsph] {
        let mut scene = scene(&text);
        scene.solver = solver;
        let mut simulation = start(gpu, &scene);
        let measure = |simulation: &Simulation| {
            let body = bodies(gpu, simulation)[0];
            let momentum = vector(body.angular_momentum);
            (momentum, 0.5 * momentum.dot(vector(body.angular_velocity)), body)
        };
        let (momentum, energy, first) = measure(&simulation);
        let mut turned = 0.0_f64;
        for _ in 0..4 {
            for _ in 0..25 {
                block_on(gpu, simulation.next_frame()).unwrap();
            }
            let (now, energy_now, body) = measure(&simulation);
            // Nothing touches it: its momentum has the same bits.
            assert_eq!(now, momentum);
            // The middle of each turn is found to third order: 1e-5 in a thousand steps.
            assert!((energy_now / energy - 1.0).abs() < 1e-4, "{}", energy_now / energy);
            let q = DQuat::from_array(body.rotation.map(f64::from));
            assert!((q.length() - 1.0).abs() < 1e-6);
            let start = DQuat::from_array(first.rotation.map(f64::from));
            turned = turned.max((q * DVec3::Y).angle_between(start * DVec3::Y));
        }
        assert!(turned > 1.0, "it has not tumbled: {turned}");
    }
}

#[test]
fn fluid_and_body_keep_their_momentum_under_every_solver() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for density in [100.0, 1000.0, 10_000.0] {
        // Off the axis of the drop, so that it is made to turn as well.
        let text = format!(
            "{DROP}[[body]]\nshape.box = {{ min = [0.01, -0.1, -0.3], max = [0.17, 0.3, 0.1] }}\n\
             density = {density}\ndrag = 1.0\n"
        );
        for solver in SOLVERS {
            let mut scene = scene(&text);
            scene.solver = solver;
            let mut simulation = start(gpu, &scene);
            let mass = density * 0.16 * 0.4 * 0.4;
            let of = |simulation: &mut Simulation| {
                let fluid = block_on(gpu, simulation.report()).unwrap();
                let body = bodies(gpu, simulation)[0];
                let v = vector(body.velocity);
                (DVec3::from(fluid.momentum) + mass * v, mass * v, fluid.mass)
            };
            let (mut before, ..) = of(&mut simulation);
            let whole = before.x;
            let mut pushed = DVec3::ZERO;
            for _ in 0..10 {
                let steps = simulation.control().step;
                block_on(gpu, simulation.next_frame()).unwrap();
                let steps = f64::from(simulation.control().step - steps);
                let (now, body, fluid) = of(&mut simulation);
                // The drop's momentum is its mass times 1 m/s; sums in 32 bits.
                let drift = (now - before).length() / fluid;
                assert!(drift < 1e-5 * steps.max(1.0), "{solver:?}, {density}: {drift:e}");
                (pushed, before) = (body, now);
            }
            assert!(pushed.x > 0.05 * whole, "{solver:?}, {density}: it was not pushed: {pushed}");
        }
    }
}

/// A box between two corners as a mesh, turned about its middle.
fn box_mesh([low, high]: [[f64; 3]; 2], axis: [f64; 3], angle: f64) -> Shape {
    let corner = |k: usize| std::array::from_fn(|i| if k >> i & 1 == 0 { -0.5 } else { 0.5 });
    let corners: Vec<_> = (0..8).map(corner).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    let unit = TriangleMesh::new(&corners, &halves.collect::<Vec<_>>()).expect("a cube");
    let mut mesh = MeshShape::new("box");
    mesh.scale = std::array::from_fn(|k| high[k] - low[k]);
    mesh.rotation = Rotation { axis, angle };
    mesh.translation = std::array::from_fn(|k| 0.5 * (low[k] + high[k]));
    mesh.fill_in(&unit);
    Shape::Mesh(mesh)
}

#[test]
fn a_mesh_of_a_box_is_pushed_as_the_box() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    // Off the axis of the drop, in its way, and turned.
    let (corners, axis, angle) = ([[0.04, -0.1, -0.3], [0.17, 0.3, 0.1]], [0.0, 1.0, 2.0], 15.0);
    for solver in SOLVERS {
        let pushed = |mesh: bool| {
            let mut scene = scene(DROP);
            scene.solver = solver;
            let [min, max] = corners;
            let mut body = Body::new(Shape::Box { min, max });
            body.rotation = Some(Turn { axis, angle });
            if mesh {
                body = Body::new(box_mesh(corners, axis, angle));
            }
            scene.bodies = vec![Body { density: Some(500.0), drag: 1.0, ..body }];
            let mut simulation = start(gpu, &scene);
            for _ in 0..5 {
                block_on(gpu, simulation.next_frame()).unwrap();
            }
            simulation.bodies().remove(0)
        };
        let (expected, found) = (pushed(false), pushed(true));
        // Their particles are at the same places to 1e-6 spacings, in another order: what is left is
        // what DFSPH's iterations leave; the other solvers' are alike to 1e-3.
        for (name, a, b) in [
            ("force", expected.force, found.force),
            ("torque", expected.torque, found.torque),
            ("velocity", expected.velocity, found.velocity),
            ("spin", expected.angular_velocity, found.angular_velocity),
        ] {
            let (a, b) = (DVec3::from(a), DVec3::from(b));
            assert!(a.length() > 0.0, "{solver:?}: no {name}");
            assert!((b - a).length() < 1e-2 * a.length(), "{solver:?}: {name} {b}, not {a}");
        }
        let apart = DVec3::from(found.position).distance(expected.position.into());
        assert!(apart < 1e-5, "{solver:?}: {apart} m apart");
    }
}

#[test]
fn boxes_of_meshes_stack_as_boxes() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    // A little water beside them, since a scene has some.
    let text = r#"
particle_radius = 0.02
[time]
max_step = 0.005
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.8, 0.0, 0.0], max = [0.96, 0.08, 0.08] }
[[boundary]]
shape.box = { min = [-0.5, 0.0, -0.5], max = [1.0, 2.0, 0.5] }
"#;
    let boxes = [[[-0.1, 0.02, -0.1], [0.1, 0.22, 0.1]], [[-0.08, 0.25, -0.07], [0.1, 0.41, 0.09]]];
    let heights = |mesh: [bool; 2]| {
        let mut scene = scene(text);
        scene.solver = Solver::Dfsph;
        scene.bodies = boxes
            .iter()
            .zip(mesh)
            .map(|([min, max], mesh)| {
                let shape = match mesh {
                    true => box_mesh([*min, *max], [0.0, 1.0, 0.0], 0.0),
                    false => Shape::Box { min: *min, max: *max },
                };
                Body { density: Some(500.0), ..Body::new(shape) }
            })
            .collect();
        let mut simulation = start(gpu, &scene);
        block_on(gpu, simulation.run_until(0.6)).unwrap();
        let bodies = simulation.bodies();
        for body in &bodies {
            let speed = DVec3::from(body.velocity).length();
            assert!(speed < 0.02, "{mesh:?}: {} moves at {speed} m/s", body.name);
        }
        [bodies[0].position[1], bodies[1].position[1]]
    };
    for mesh in [[true, false], [false, true], [true, true]] {
        // The lower one stands on the floor, the upper one on it; contacts keep 2 % of a spacing,
        // and the field of distances is linear at faces.
        for (found, expected) in heights(mesh).iter().zip([0.1, 0.28]) {
            assert!((found - expected).abs() < 0.1 * 0.04, "{mesh:?}: {found}, not {expected}");
        }
    }
}

/// Motions of every kind, of obstacles and of a container.
const MOVING: &str = r#"
particle_radius = 0.05
[time]
fps = 25.0
[[material]]
name = "water"
viscosity = 1.0
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [1.0, 0.5, 0.6] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [1.0, 2.0, 0.6] }
response.particles = {}
motion = [{ sway = { amplitude = [0.05, 0.0, 0.0], period = 0.7 } }, { rock = { axis = [0.0, 0.0, 1.0], angle = 5.0, period = 0.5 } }]
[[boundary]]
shape.box = { min = [0.3, 0.6, 0.2], max = [0.7, 0.9, 0.4] }
side = "outside"
response.particles = {}
motion = [{ rotate = { axis = [0.0, 1.0, 0.0], speed = 20.0 } }, { translate = { velocity = [0.0, -0.2, 0.0] } }]
[[body]]
shape.capsule = { start = [0.2, 1.5, 0.3], end = [0.8, 1.5, 0.3], radius = 0.1 }
motion = [{ keyframes = { axis = [0.0, 0.0, 1.0], frames = [{ time = 0.0 }, { time = 0.3, position = [0.0, -0.2, 0.0], angle = 90.0 }] } }]
"#;

#[test]
fn boundary_particles_are_and_move_as_the_scene_says_under_every_solver() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in SOLVERS {
        let mut scene = scene(MOVING);
        scene.solver = solver;
        let mut simulation = start(gpu, &scene);
        let mut checkpoint = None;
        for frame in 1..=6 {
            block_on(gpu, simulation.next_frame()).unwrap();
            let now = bodies(gpu, &simulation);
            for (body, collider) in
                now.iter().zip(simulation.setup().colliders_at(simulation.time()))
            {
                let way = vector(body.position) - collider.position.as_dvec3();
                assert!(way.length() < 1e-6, "{solver:?}, frame {frame}: {way}");
                let off = vector(body.velocity) - collider.velocity.as_dvec3();
                assert!(off.length() < 2e-5, "{solver:?}, frame {frame}: {off}");
                let off = vector(body.angular_velocity) - collider.angular_velocity.as_dvec3();
                assert!(off.length() < 2e-4, "{solver:?}, frame {frame}: {off}");
            }
            let state = block_on(gpu, simulation.read()).unwrap();
            let setup = simulation.setup();
            let dt = f64::from(state.control.dt);
            for (i, [id, who]) in state.identity().iter().enumerate() {
                if who & 255 != kind::BOUNDARY {
                    continue;
                }
                let body = now[(who >> 16) as usize];
                let model = setup.model_position[(id - setup.params.first_wall) as usize];
                let arm = DQuat::from_array(body.rotation.map(f64::from)) * vector(model);
                let spin = vector(body.angular_velocity);
                // Between steps particles are where their velocity took them, to second order.
                let error = vector(state.position()[i]) - vector(body.position) - arm;
                let most = dt * dt * (spin.length_squared() * arm.length() + 30.0);
                assert!(error.length() < 1e-5 + most, "{solver:?}: {error} against {most}");
                let v = vector(body.velocity) + spin.cross(arm) - vector(state.velocity()[i]);
                assert!(v.length() < 1e-4 + most / dt, "{solver:?}: {v}");
            }
            if frame == 3 {
                checkpoint = Some(state);
            } else if frame == 6 {
                let mut again =
                    block_on(gpu, Simulation::resume(gpu, &scene, checkpoint.as_ref().unwrap()))
                        .unwrap();
                for _ in 0..3 {
                    block_on(gpu, again.next_frame()).unwrap();
                }
                assert!(
                    state == block_on(gpu, again.read()).unwrap(),
                    "{solver:?} goes on otherwise"
                );
            }
        }
    }
}

#[test]
fn the_hand_moves_tanks_of_boundary_particles() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = scene(MOVING);
    scene.solver = Solver::Dfsph;
    scene.boundaries[0].motion.clear();
    let mut simulation = start(gpu, &scene);
    simulation.move_walls(0.5 * Vec3::X);
    for _ in 0..4 {
        block_on(gpu, simulation.next_frame()).unwrap();
    }
    let way = vector(bodies(gpu, &simulation)[0].position)
        - simulation.setup().colliders[0].position.as_dvec3();
    assert!((way - DVec3::X * 0.5 * 4.0 / 25.0).length() < 1e-6, "{way}");
    let shown = simulation.colliders()[0].position.as_dvec3();
    assert!((shown - vector(bodies(gpu, &simulation)[0].position)).length() < 1e-6);
    let report = block_on(gpu, simulation.report()).unwrap();
    assert_eq!(report.lost, 0);
    assert!(report.momentum[0] > 0.02 * report.mass, "the fluid feels it: {report:?}");
}

/// A basin with something that floats in it.
const FLOATING: &str = r#"
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

#[test]
fn a_hand_drags_a_floating_body_and_lets_it_go() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in [Solver::Wcsph, Solver::Dfsph] {
        let mut scene = scene(FLOATING);
        scene.solver = solver;
        let mut simulation = start(gpu, &scene);
        let collider = simulation.bodies()[0].collider;
        // By a point off its centre, so that it turns as well.
        let arm = Vec3::new(0.06, 0.03, 0.0);
        let held = |simulation: &Simulation| {
            let body = &simulation.bodies()[0];
            DVec3::from(body.position) + DQuat::from_array(body.rotation) * arm.as_dvec3()
        };
        let start = held(&simulation);
        let goal = start + DVec3::new(0.5, 0.15, 0.0);
        let fastest = f64::from(simulation.gentle_speed());
        simulation.pull(Some(Pull { collider, arm, goal }));
        for _ in 0..60 {
            block_on(gpu, simulation.next_frame()).unwrap();
            let v = DVec3::from(simulation.bodies()[0].velocity).length();
            assert!(v < 1.2 * fastest, "{solver:?}: {v} m/s, where {fastest} is gentle");
        }
        // It hangs by a spring that its weight stretches by a particle radius, and swings a little.
        let away = held(&simulation) - goal;
        assert!(away.length() < 2.0 * scene.particle_radius, "{solver:?}: {away}");
        simulation.pull(None);
        for _ in 0..25 {
            block_on(gpu, simulation.next_frame()).unwrap();
        }
        let fallen = simulation.bodies()[0].position[1];
        assert!(fallen < 0.4, "{solver:?}: it is back in the water: {fallen}");
        assert_eq!(block_on(gpu, simulation.report()).unwrap().lost, 0);
    }
}

/// A dry room in the plane with a puddle in a corner, since there must be some fluid.
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

fn run_for(gpu: &Gpu, simulation: &mut Simulation, time: f64) {
    let end = simulation.time() + time;
    block_on(gpu, simulation.run_until(end)).unwrap();
}

/// Müller's is not among them: its water does not come to rest (docs/validation.md), and throws bodies
/// about.
const CALM: [Solver; 4] = [Solver::Wcsph, Solver::Pcisph, Solver::Iisph, Solver::Dfsph];

/// How far a body is turned about z, in radians.
fn angle(body: &BodyReport) -> f64 {
    let [_, _, z, w] = body.rotation;
    2.0 * z.atan2(w)
}

#[test]
fn a_ball_bounces_with_its_restitution() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for restitution in [0.0, 0.5, 0.9] {
        let text = format!(
            "{ROOM}[[body]]\nshape.sphere = {{ center = [1.0, 0.6, 0.0], radius = 0.2 }}\n\
             density = 500.0\nrestitution = {restitution}\n"
        );
        let mut simulation = start(gpu, &scene(&text));
        let (mut down, mut up) = (0.0_f64, 0.0_f64);
        // It falls 0.4 m in 0.286 s, and is looked at for a while after that.
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
        // v = √(2 g 0.4 m), and a step's gravity less or more.
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
    let mut simulation = start(gpu, &scene(&text));
    run_for(gpu, &mut simulation, 0.2);
    let before = simulation.bodies();
    run_for(gpu, &mut simulation, 2.0);
    for (before, after) in before.iter().zip(simulation.bodies()) {
        let moved = DVec3::from(after.position).distance(before.position.into());
        // Contacts creep, and leave some slack: a twentieth of a spacing, and a tenth over the width.
        assert!(moved < 0.002, "{} moved {moved} m", after.name);
        assert!(angle(&after).abs() < 0.01, "{} turned {}", after.name, angle(&after));
    }
}

#[test]
fn a_pile_of_boxes_comes_to_rest() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut text = ROOM.to_owned();
    // Ten boxes, turned in several ways, fall onto each other.
    for k in 0..10 {
        let (x, y) = (1.2 + 0.33 * f64::from(k % 3), 0.3 + 0.35 * f64::from(k / 3));
        text += &format!(
            "[[body]]\nshape.box = {{ min = [{x}, {y}, 0.0], max = [{}, {}, 0.0] }}\n\
             rotation = {{ axis = [0.0, 0.0, 1.0], angle = {} }}\ndensity = {}\n",
            x + 0.24,
            y + 0.16,
            40 * (k % 4) - 50,
            300 + 200 * k,
        );
    }
    let mut simulation = start(gpu, &scene(&text));
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

#[test]
fn a_neutral_body_stays_put_without_spin() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in CALM {
        let mut scene = scene(
            r#"
dimensions = 2
particle_radius = 0.02
[time]
fps = 50.0
[wcsph]
sound_speed = 25.0
[[material]]
name = "water"
viscosity = 5.0
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.8, 0.72, 0.0] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.8, 1.2, 0.0] }
[[body]]
shape.sphere = { center = [0.4, 0.36, 0.0], radius = 0.14 }
density = 1000.0
drag = 1.0
"#,
        );
        scene.solver = solver;
        let mut simulation = start(gpu, &scene);
        run_for(gpu, &mut simulation, 1.0);
        let body = &simulation.bodies()[0];
        let moved = DVec3::from(body.position) - DVec3::new(0.4, 0.36, 0.0);
        // As far as an error of 2 % of its buoyancy would take it and the water that it moves, which is as
        // much again (Lamb, Hydrodynamics, 68): ½ (0.02/2) g t².
        assert!(moved.length() < 0.049, "{solver:?}: it moved {moved}");
        // The lattice around it finds its places, and turns it by less than a spacing at its surface.
        assert!(angle(body).abs() < 0.04 / 0.14, "{solver:?}: it turned {}", angle(body));
    }
}

#[test]
fn a_symmetric_drop_stays_symmetric() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in CALM {
        let mut scene = scene(
            r#"
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
shape.box = { min = [-0.6, 0.0, 0.0], max = [0.6, 0.32, 0.0] }
[[boundary]]
shape.box = { min = [-0.6, 0.0, 0.0], max = [0.6, 1.0, 0.0] }
[[body]]
shape.box = { min = [-0.16, 0.4, 0.0], max = [0.16, 0.56, 0.0] }
density = 600.0
"#,
        );
        scene.solver = solver;
        let mut simulation = start(gpu, &scene);
        run_for(gpu, &mut simulation, 0.4);
        let body = &simulation.bodies()[0];
        assert!(body.position[1] < 0.42, "{solver:?}: it has hit the water");
        // Rounding is all that is not symmetric, and chaos makes it grow.
        assert!(body.position[0].abs() < 0.004, "{solver:?}: {}", body.position[0]);
        assert!(angle(body).abs() < 0.02, "{solver:?}: {}", angle(body));
    }
}

#[test]
fn light_bodies_float_and_heavy_ones_sink() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in CALM {
        for density in [100.0, 10_000.0] {
            // The light one begins where Archimedes has it, the heavy one at the surface.
            let draft = 0.12 * f64::min(density / 1000.0, 1.0);
            let place =
                format!("min = [0.2, {}, 0.0], max = [0.44, {}, 0.0]", 0.32 - draft, 0.44 - draft);
            let text = FLOATING
                .replace("min = [0.2, 0.24, 0.0], max = [0.44, 0.36, 0.0]", &place)
                .replace("600.0", &density.to_string());
            let mut scene = scene(&text);
            scene.solver = solver;
            let mut simulation = start(gpu, &scene);
            run_for(gpu, &mut simulation, 1.0);
            let low = simulation.bodies()[0].position[1] - 0.06;
            if density > 1000.0 {
                assert!((-0.004..0.02).contains(&low), "{solver:?}: it lies on the floor: {low}");
            } else {
                assert!((low - (0.32 - draft)).abs() < 0.04, "{solver:?}: it floats: {low}");
            }
            assert_eq!(block_on(gpu, simulation.report()).unwrap().lost, 0, "{solver:?}");
        }
    }
}
