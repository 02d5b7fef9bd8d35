//! Coupling of fluid and bodies: momentum, rotation, and bodies from meshes.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{box_mesh, parse, solvers, start},
};
use glam::{DQuat, DVec3};
use meniscus::Simulation;
use meniscus_model::scene::{Body, Boundary, Cuboid, Domain, Plane, Response, Shape, Turn};

use super::bodies;

/// A drop at rest without gravity; tests add bodies.
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
    // Rotation about the intermediate axis, which is unstable: the body tumbles repeatedly.
    let text = format!(
        "{DROP}[[body]]\nshape.box = {{ min = [0.5, 0.5, 0.5], max = [0.7, 0.8, 0.9] }}\n\
         density = 500.0\nrotation = {{ axis = [1.0, 2.0, 3.0], angle = 40.0 }}\n\
         angular_velocity = [1.0, 20.0, 0.5]\n"
    );
    for solver in ["dfsph"] {
        let mut scene = parse(&text);
        scene.solver = solver.into();
        let mut simulation = start(gpu, &scene);
        let measure = |simulation: &Simulation| {
            let body = bodies(gpu, simulation)[0];
            let momentum = body.angular_momentum.truncate().as_dvec3();
            (momentum, 0.5 * momentum.dot(body.angular_velocity.truncate().as_dvec3()), body)
        };
        let (momentum, energy, first) = measure(&simulation);
        let mut turned = 0.0_f64;
        for _ in 0..4 {
            for _ in 0..25 {
                block_on(gpu, simulation.next_frame()).unwrap();
            }
            let (now, energy_now, body) = measure(&simulation);
            // Nothing touches it: its momentum keeps its bits.
            assert_eq!(now, momentum);
            // The middle of each rotation is accurate to third order: 1e-5 in a thousand steps.
            assert!((energy_now / energy - 1.0).abs() < 1e-4, "{}", energy_now / energy);
            let q = DQuat::from_vec4(body.rotation.as_dvec4());
            assert!((q.length() - 1.0).abs() < 1e-6);
            let start = DQuat::from_vec4(first.rotation.as_dvec4());
            turned = turned.max((q * DVec3::Y).angle_between(start * DVec3::Y));
        }
        assert!(turned > 1.0, "it has not tumbled: {turned}");
    }
}

#[test]
fn fluid_and_body_keep_their_momentum_under_every_solver() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for density in [100.0, 1000.0, 10_000.0] {
        // Off the axis of the drop, so that it also starts to rotate.
        let text = format!(
            "{DROP}[[body]]\nshape.box = {{ min = [0.01, -0.1, -0.3], max = [0.17, 0.3, 0.1] }}\n\
             density = {density}\ndrag = 1.0\n"
        );
        for solver in solvers() {
            let mut scene = parse(&text);
            scene.solver = solver.into();
            let mut simulation = start(gpu, &scene);
            let mass = density * 0.16 * 0.4 * 0.4;
            let of = |simulation: &mut Simulation| {
                let fluid = block_on(gpu, simulation.report()).unwrap();
                let body = bodies(gpu, simulation)[0];
                let v = body.velocity.truncate().as_dvec3();
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
                // The drop's momentum is its mass times 1 m/s; sums are in f32.
                let drift = (now - before).length() / fluid;
                assert!(drift < 1e-5 * steps.max(1.0), "{solver:?}, {density}: {drift:e}");
                (pushed, before) = (body, now);
            }
            assert!(pushed.x > 0.05 * whole, "{solver:?}, {density}: it was not pushed: {pushed}");
        }
    }
}

#[test]
fn a_mesh_of_a_box_is_pushed_as_the_box() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    // Off the axis of the drop, in its path, and rotated.
    let (corners, axis, angle) = ([[0.04, -0.1, -0.3], [0.17, 0.3, 0.1]], [0.0, 1.0, 2.0], 15.0);
    // Solvers do not see shapes: one with an equation of state, and one that solves for pressures.
    for solver in ["wcsph", "dfsph"] {
        let pushed = |mesh: bool| {
            let mut scene = parse(DROP);
            scene.solver = solver.into();
            let [min, max] = corners;
            let mut body = Body::new(Shape::Box(Cuboid { min, max }));
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
        // Their particles are at the same positions to 1e-6 spacings, in another order. The
        // remaining difference is the residual of DFSPH's iterations; with the other solvers it is
        // below 1e-3.
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
    // A little water beside them, since a scene needs fluid.
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
        let mut scene = parse(text);
        scene.solver = "dfsph".into();
        scene.bodies = boxes
            .iter()
            .zip(mesh)
            .map(|([min, max], mesh)| {
                let shape = match mesh {
                    true => box_mesh([*min, *max], [0.0, 1.0, 0.0], 0.0),
                    false => Shape::Box(Cuboid { min: *min, max: *max }),
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

/// Water thrown at a measured tank: the impulse on it is the momentum that the water has lost, of which a part is stopped by
/// the surface rather than by pressure.
#[test]
fn the_impulse_on_a_tank_is_the_momentum_of_the_water() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in solvers() {
        let mut scene = parse(DROP);
        scene.solver = solver.into();
        scene.gravity = [0.0, -9.81, 0.0];
        scene.fluids[0].velocity = [4.0, -3.0, 0.0];
        scene.boundaries =
            vec![Boundary::tank([-0.4, -0.2, -0.2], [0.2, 0.6, 0.2]).measured("tank")];
        let mut simulation = start(gpu, &scene);
        let before = block_on(gpu, simulation.report()).unwrap();
        let mut impulse = DVec3::ZERO;
        let mut by_pressure = DVec3::ZERO;
        for _ in 0..10 {
            block_on(gpu, simulation.next_frame()).unwrap();
            let force = &simulation.forces()[0];
            impulse += 0.01 * DVec3::from(force.mean_force);
            by_pressure += 0.01 * DVec3::from(force.mean_pressure);
        }
        let after = block_on(gpu, simulation.report()).unwrap();
        let fall = before.mass * 0.1 * DVec3::from(scene.gravity);
        let lost = DVec3::from(before.momentum) + fall - DVec3::from(after.momentum);
        let error = impulse.distance(lost) / lost.length();
        // 3e-7. Without viscosity all of it is pressure's and the surface's.
        assert!(error < 6e-7, "{solver}: {impulse} on the tank, {lost} lost");
        assert!(by_pressure.distance(impulse) < 1e-6 * lost.length(), "{solver}: {by_pressure}");
    }
}

/// Water that slides over a floor it clings to: without a slope or a wall in its way, friction alone slows it down.
#[test]
fn the_friction_on_a_floor_is_what_slows_the_water() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph"] {
        let mut scene = parse(DROP);
        scene.solver = solver.into();
        scene.gravity = [0.0, -9.81, 0.0];
        scene.domain = Some(Domain {
            min: [-0.2, -0.2, -0.2],
            max: [0.2, 0.4, 0.2],
            periodic: [true, false, true],
        });
        scene.materials[0].viscosity = Some(10.0);
        scene.fluids[0].shape = Cuboid { min: [-0.2, -0.2, -0.2], max: [0.2, 0.0, 0.2] }.into();
        let floor = Plane { point: [0.0, -0.2, 0.0], normal: [0.0, 1.0, 0.0] };
        let floor = Boundary::container(Shape::Plane(floor)).measured("floor");
        let response = Some(Response::Particles { friction: 0.0, no_slip: true });
        scene.boundaries = vec![Boundary { response, ..floor }];
        let mut simulation = start(gpu, &scene);
        let before = block_on(gpu, simulation.report()).unwrap();
        let (mut friction, mut pressure) = (0.0, 0.0);
        for _ in 0..10 {
            block_on(gpu, simulation.next_frame()).unwrap();
            let force = &simulation.forces()[0];
            friction += 0.01 * force.mean_friction()[0];
            pressure += 0.01 * force.mean_pressure[0];
        }
        let after = block_on(gpu, simulation.report()).unwrap();
        let lost = before.momentum[0] - after.momentum[0];
        assert!(lost > 0.1 * before.momentum[0], "{solver}: {lost}");
        assert!(((friction + pressure) / lost - 1.0).abs() < 1e-5, "{solver}: not {lost}");
        // 0.2 and 1.2 %: the particles of the floor are no plane.
        assert!((friction / lost - 1.0).abs() < 0.024, "{solver}: {friction} of {lost}");
    }
}

/// A name is for tables and programs: the flow is the same, with walls of particles and of volume.
#[test]
fn a_name_does_not_change_the_flow() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let particles = Some(Response::Particles { friction: 0.0, no_slip: false });
    for (solver, response) in [("wcsph", particles.clone()), ("dfsph", particles), ("dfsph", None)]
    {
        let mut scene = parse(DROP);
        scene.solver = solver.into();
        scene.fluids[0].velocity = [4.0, -3.0, 0.0];
        let tank = Boundary::tank([-0.4, -0.2, -0.2], [0.2, 0.6, 0.2]);
        let states = [tank.clone(), tank.named("tank")].map(|tank| {
            scene.boundaries = vec![Boundary { response: response.clone(), ..tank }];
            let mut simulation = start(gpu, &scene);
            for _ in 0..3 {
                block_on(gpu, simulation.next_frame()).unwrap();
            }
            assert_eq!(
                simulation.forces().len(),
                usize::from(response.is_some() && scene.boundaries[0].name.is_some())
            );
            block_on(gpu, simulation.read()).unwrap()
        });
        let [without, with] = states.each_ref().map(|state| state.fluid().collect::<Vec<_>>());
        assert!(with == without, "{solver}: the name changed the flow");
    }
}
