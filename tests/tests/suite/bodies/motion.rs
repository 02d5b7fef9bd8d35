//! Motion of solids, prescribed by the scene or interactive.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{FLOATING, parse, solvers, start},
};
use glam::{DQuat, DVec3, Vec3};
use meniscus::{Pull, Simulation};
use meniscus_model::params::KIND_BOUNDARY;

use super::{bodies, vector};

/// All kinds of motion, of obstacles and of a container.
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
    for solver in solvers() {
        let mut scene = parse(MOVING);
        scene.solver = solver.into();
        let mut simulation = start(gpu, &scene);
        let mut checkpoint = None;
        for frame in 1..=6 {
            block_on(gpu, simulation.next_frame()).unwrap();
            let now = bodies(gpu, &simulation);
            for (body, collider) in
                now.iter().zip(simulation.setup().colliders_at(simulation.time()))
            {
                let way = body.position.truncate().as_dvec3() - collider.position.as_dvec3();
                assert!(way.length() < 1e-6, "{solver:?}, frame {frame}: {way}");
                let off = body.velocity.truncate().as_dvec3() - collider.velocity.as_dvec3();
                assert!(off.length() < 2e-5, "{solver:?}, frame {frame}: {off}");
                let off = body.angular_velocity.truncate().as_dvec3()
                    - collider.angular_velocity.as_dvec3();
                assert!(off.length() < 2e-4, "{solver:?}, frame {frame}: {off}");
            }
            let state = block_on(gpu, simulation.read()).unwrap();
            let setup = simulation.setup();
            let dt = f64::from(state.control.dt);
            for (i, [id, who]) in state.identity().iter().enumerate() {
                if who & 255 != KIND_BOUNDARY {
                    continue;
                }
                let body = now[(who >> 16) as usize];
                let model = setup.model_position[(id - setup.params.counts.first_wall) as usize];
                let arm = DQuat::from_vec4(body.rotation.as_dvec4()) * vector(model);
                let spin = body.angular_velocity.truncate().as_dvec3();
                // Between steps particles are where their velocity leads, to second order.
                let error = vector(state.position()[i]) - body.position.truncate().as_dvec3() - arm;
                let most = dt * dt * (spin.length_squared() * arm.length() + 30.0);
                assert!(error.length() < 1e-5 + most, "{solver:?}: {error} against {most}");
                let v = body.velocity.truncate().as_dvec3() + spin.cross(arm)
                    - vector(state.velocity()[i]);
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
                    "{solver:?}: the resumed run differs"
                );
            }
        }
    }
}

#[test]
fn the_hand_moves_tanks_of_boundary_particles() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = parse(MOVING);
    scene.solver = "dfsph".into();
    scene.boundaries[0].motion.clear();
    let mut simulation = start(gpu, &scene);
    simulation.move_walls(0.5 * Vec3::X);
    for _ in 0..4 {
        block_on(gpu, simulation.next_frame()).unwrap();
    }
    let way = bodies(gpu, &simulation)[0].position.truncate().as_dvec3()
        - simulation.setup().colliders[0].position.as_dvec3();
    assert!((way - DVec3::X * 0.5 * 4.0 / 25.0).length() < 1e-6, "{way}");
    let shown = simulation.colliders()[0].position.as_dvec3();
    assert!((shown - bodies(gpu, &simulation)[0].position.truncate().as_dvec3()).length() < 1e-6);
    let report = block_on(gpu, simulation.report()).unwrap();
    assert_eq!(report.lost, 0);
    assert!(report.momentum[0] > 0.02 * report.mass, "it moves the fluid: {report:?}");
}

#[test]
fn a_hand_drags_a_floating_body_and_lets_it_go() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph"] {
        let mut scene = parse(FLOATING);
        scene.solver = solver.into();
        let mut simulation = start(gpu, &scene);
        let collider = simulation.bodies()[0].collider;
        // Held at a point off its centre, so that it also rotates.
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
        // It hangs on a spring, which its weight stretches by a particle radius, and swings
        // slightly.
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
