//! Motion of solids, prescribed by the scene or interactive.

use std::collections::BTreeMap;

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{FLOATING, parse, solvers, start},
    side_by_side::SideBySide,
};
use glam::{DQuat, DVec3, Vec3};
use meniscus::{Error, KinematicTarget, Pull, Shaders, Simulation, SolidId, State};
use meniscus_model::{
    motion::movement_at,
    params::KIND_BOUNDARY,
    scene::{Cuboid, Force},
};

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

/// A program that tells every solid in each frame where the scene would have it gets the scene's flow.
#[test]
fn steered_solids_are_those_of_the_scene() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = parse(MOVING);
    scene.solver = "dfsph".into();
    scene.time.step = Some(0.002);
    scene.bodies[0].name = Some("rod".into());
    // From rest, as a program finds them.
    for boundary in &mut scene.boundaries {
        boundary.motion.clone_from(&scene.bodies[0].motion);
    }
    let mut still = scene.clone();
    for boundary in &mut still.boundaries {
        boundary.motion.clear();
    }
    still.bodies[0].motion.clear();
    still.bodies[0].fixed = true;
    let [mut own, mut steered] = [start(gpu, &scene), start(gpu, &still)];
    let solids = [SolidId::new(0), SolidId::new(1), steered.solid("rod").unwrap()];
    for frame in 1..=5 {
        let time = f64::from(frame) / 25.0;
        for solid in solids {
            let motions = &own.setup().motions[solid.index()];
            let initial = own.setup().movement_at(solid.index(), 0.0);
            let to = movement_at(motions, initial.pose, time);
            let goal = KinematicTarget::new(to.pose.position, to.pose.rotation)
                .with_velocities(to.velocity, to.angular_velocity);
            steered.set_kinematic_target(solid, goal).unwrap();
        }
        for simulation in [&mut own, &mut steered] {
            block_on(gpu, simulation.next_frame()).unwrap();
        }
    }
    for solid in solids {
        let [own, steered] = [&own, &steered].map(|one| one.place(solid).unwrap());
        assert!((own.pose.position - steered.pose.position).length() < 1e-6, "{own:?} {steered:?}");
        assert!(own.pose.rotation.dot(steered.pose.rotation) > 1.0 - 1e-6, "{own:?} {steered:?}");
        assert!((own.velocity - steered.velocity).length() < 1e-4, "{own:?} {steered:?}");
    }
    let [own, steered] = [&own, &steered].map(|one| block_on(gpu, one.read()).unwrap());
    let places = |state: &State| {
        let all = state.fluid().map(|particle| (particle.id, DVec3::from(particle.position)));
        all.collect::<BTreeMap<_, _>>()
    };
    let (own, steered) = (places(&own), places(&steered));
    let away = own.iter().map(|(id, place)| place.distance(steered[id])).fold(0.0, f64::max);
    // 3.6e-4 m: the scene's velocities are central differences, not 0 at the start.
    assert!(away < 7e-4, "the water differs by {away} m");
}

/// Without another goal, a solid stays where it is; walls that act by volume follow as well, and move the water.
#[test]
fn a_steered_wall_stops_where_it_was_told() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = parse(MOVING);
    scene.solver = "dfsph".into();
    scene.boundaries.truncate(1);
    scene.bodies.clear();
    scene.boundaries[0].motion.clear();
    scene.boundaries[0].response = None;
    let mut simulation = start(gpu, &scene);
    let from = simulation.place(SolidId::new(0)).unwrap().pose;
    for frame in 1..=4 {
        let way = 0.02 * f64::from(frame) * DVec3::X;
        simulation
            .set_kinematic_target(
                SolidId::new(0),
                KinematicTarget::new(from.position + way, from.rotation),
            )
            .unwrap();
        block_on(gpu, simulation.next_frame()).unwrap();
        let place = simulation.place(SolidId::new(0)).unwrap();
        assert!((place.pose.position - from.position - way).length() < 1e-6, "{place:?}");
        // The mean of the frame.
        assert!((place.velocity - 0.5 * DVec3::X).length() < 1e-4, "{place:?}");
    }
    let report = block_on(gpu, simulation.report()).unwrap();
    assert!(report.momentum[0] > 0.02 * report.mass && report.lost == 0, "{report:?}");
    block_on(gpu, simulation.next_frame()).unwrap();
    let place = simulation.place(SolidId::new(0)).unwrap();
    assert!((place.pose.position - from.position - 0.08 * DVec3::X).length() < 1e-6, "{place:?}");
    assert_eq!((place.velocity, place.angular_velocity), (DVec3::ZERO, DVec3::ZERO));
}

/// v = F t/m and ω = τ t/I of a box beside the water, and what a program gets wrong.
#[test]
fn a_pushed_body_moves_as_newton_says() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = parse(MOVING);
    scene.solver = "dfsph".into();
    scene.gravity = [0.0; 3];
    scene.boundaries.clear();
    let body = &mut scene.bodies[0];
    body.motion.clear();
    body.shape = Cuboid { min: [2.0, 2.0, 2.0], max: [2.6, 2.4, 2.2] }.into();
    body.density = Some(500.0);
    let mut simulation = start(gpu, &scene);
    let body = simulation.solid("body_1").unwrap();
    let mass = 500.0 * 0.6 * 0.4 * 0.2;
    let inertia = mass / 12.0 * (0.6 * 0.6 + 0.4 * 0.4);
    let (force, torque) = (DVec3::new(3.0, -1.0, 2.0), 0.4 * DVec3::Z);
    simulation.set_force(body, force, torque).unwrap();
    for _ in 0..5 {
        block_on(gpu, simulation.next_frame()).unwrap();
    }
    let place = simulation.place(body).unwrap();
    let time = simulation.time();
    assert!((place.velocity - time / mass * force).length() < 1e-5, "{place:?}");
    assert!((place.angular_velocity - time / inertia * torque).length() < 1e-5, "{place:?}");
    simulation.set_force(body, DVec3::ZERO, DVec3::ZERO).unwrap();
    block_on(gpu, simulation.next_frame()).unwrap();
    assert_eq!(simulation.place(body).unwrap().velocity, place.velocity);

    let text = |result: Result<(), Error>| result.unwrap_err().to_string();
    let here = KinematicTarget::new(DVec3::ZERO, DQuat::IDENTITY);
    assert!(text(simulation.set_kinematic_target(body, here)).contains("moves freely"));
    assert!(
        text(simulation.set_kinematic_target(SolidId::new(7), here))
            .contains("no solid 7: the scene has 1")
    );
    assert!(text(simulation.set_force(body, DVec3::NAN, DVec3::ZERO)).contains("not finite"));
}

/// The pass that applies the program's forces, against its twin.
#[test]
fn forces_of_a_program_are_the_references() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = parse(FLOATING);
    scene.solver = "dfsph".into();
    let mut both = SideBySide::new(gpu, &scene, &Shaders::standard()).unwrap();
    for push in [[3.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.7, 0.0], [0.0; 8]] {
        both.replica_mut().world.body_push.last_mut().unwrap().copy_from_slice(&push);
        assert_eq!(both.step().unwrap(), None);
    }
}

#[test]
fn force_fields_are_added_moved_and_removed_by_handles() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = parse(FLOATING);
    scene.solver = "dfsph".into();
    let uniform = |x| Force::Uniform { acceleration: [x, 0.0, 0.0] };
    scene.forces = vec![uniform(1.0)];
    let mut simulation = start(gpu, &scene);
    let second = simulation.add_force_field(&uniform(2.0)).unwrap();
    let third = simulation.add_force_field(&uniform(3.0)).unwrap();
    let first = simulation.force_fields()[0];
    simulation.remove_force_field(first).unwrap();
    // The others keep their handles.
    simulation.set_force_field(third, &uniform(30.0)).unwrap();
    assert_eq!(simulation.force_fields(), [second, third]);
    let params = simulation.setup().params;
    let strengths = params.force_fields.map(|field| field.direction.x);
    assert_eq!(strengths[..3], [2.0, 30.0, 0.0]);
    assert_eq!(params.counts.force_fields, 2);
    let text = |result: Result<(), Error>| result.unwrap_err().to_string();
    assert!(text(simulation.remove_force_field(first)).contains("has been removed"));
    let nowhere = Force::Attract { center: [0.0; 3], strength: f64::NAN, radius: 1.0 };
    assert!(text(simulation.set_force_field(third, &nowhere)).contains("force.attract.strength"));
    for _ in 2..8 {
        simulation.add_force_field(&uniform(0.0)).unwrap();
    }
    assert!(
        simulation.add_force_field(&uniform(0.0)).unwrap_err().to_string().contains("at most 8")
    );
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
        let body = simulation.bodies()[0].solid;
        // Held at a point off its centre, so that it also rotates.
        let arm = Vec3::new(0.06, 0.03, 0.0);
        let held = |simulation: &Simulation| {
            let body = &simulation.bodies()[0];
            DVec3::from(body.position) + DQuat::from_array(body.rotation) * arm.as_dvec3()
        };
        let start = held(&simulation);
        let goal = start + DVec3::new(0.5, 0.15, 0.0);
        let fastest = f64::from(simulation.gentle_speed());
        simulation.pull(Some(Pull { body, arm, goal }));
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
