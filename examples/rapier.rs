//! A boat of two hulls on a hinge, whose joint and contacts are Rapier's, and whose water is meniscus's: in each frame the
//! hulls go where Rapier has moved them, and Rapier gets what the water did to them.
//!
//!     cargo run --release --package examples --bin rapier [RADIUS [SECONDS [SOLVER]]]
//!
//! The radius of particles is 0.0125 m if none is given, the time 3 s, the solver that of scenes without one.

use meniscus::{
    Coupling, Error, KinematicTarget, SolidId,
    blocking::Simulation,
    glam::{DQuat, DVec3},
    scene::{Body, Boundary, Cuboid, Fluid, Scene},
};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, RevoluteJointBuilder, RigidBodyBuilder, RigidBodyHandle, Vector,
};

/// Exchanges per second.
const RATE: f64 = 200.0;
/// Densities in kg/m³.
const WATER: f64 = 1000.0;
const HULL: f64 = 500.0;
/// Tank and water in m: length, height, width.
const TANK: [f64; 3] = [1.0, 0.5, 0.4];
const DEPTH: f64 = 0.25;
/// A hull in m, in the same order.
const SIZE: [f64; 3] = [0.25, 0.1, 0.25];
/// Way between the hulls in m, in whose middle the hinge is.
const GAP: f64 = 0.05;

/// A hull in both programs.
struct Hull {
    /// In meniscus.
    solid: SolidId,
    /// In Rapier.
    body: RigidBodyHandle,
    coupling: Coupling<f32>,
}

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: f64| {
        let Some(text) = arguments.get(at) else { return Ok(default) };
        text.parse().map_err(|_| Error::Options(format!("{text} is no number")))
    };
    let (radius, seconds) = (number(0, 0.0125)?, number(1, 3.0)?);

    // The hulls begin 1 cm too high, one 2 cm, so that they fall into the water.
    let volume: f64 = SIZE.iter().product();
    let draft = SIZE[1] * HULL / WATER;
    let bottom = DEPTH - draft + 0.01;
    let hulls = [("bow", -0.5 * GAP - SIZE[0], 0.0), ("stern", 0.5 * GAP, 0.01)];
    let mut scene = Scene::new(radius)
        .with_fps(RATE)
        .with_fluid(Fluid::block([0.0; 3], [TANK[0], DEPTH, TANK[2]]))
        .with_boundary(Boundary::tank([0.0; 3], TANK));
    if let Some(solver) = arguments.get(2) {
        scene = scene.with_solver(solver);
    }
    for (name, start, above) in hulls {
        let min = [0.5 * TANK[0] + start, bottom + above, 0.5 * (TANK[2] - SIZE[2])];
        let max = [min[0] + SIZE[0], min[1] + SIZE[1], min[2] + SIZE[2]];
        let mut hull = Body::new(Cuboid { min, max }.into());
        hull.name = Some(name.into());
        hull.fixed = true;
        scene = scene.with_body(hull);
    }
    let mut simulation = Simulation::new(&scene)?;

    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = (1.0 / RATE) as f32;
    add_tank(&mut world);
    let mut hulls = hulls.map(|(name, ..)| {
        let solid = simulation.solid(name).expect("the scene has it");
        let start = simulation.place(solid).expect("the scene has it").pose.position;
        // The water that it carries along is at most about what it displaces.
        let masses = [HULL, WATER].map(|density| (density * volume) as f32);
        let coupling = Coupling::new(masses[0], masses[1], (1.0 / RATE) as f32);
        let body = RigidBodyBuilder::dynamic()
            .translation(vector(start.to_array()))
            .gravity_scale(coupling.gravity_scale())
            .can_sleep(false);
        let half = SIZE.map(|v| 0.5 * v as f32);
        let shape = ColliderBuilder::cuboid(half[0], half[1], half[2])
            .density(coupling.mass() / volume as f32);
        let (body, _) = world.insert(body, shape);
        Hull { solid, body, coupling }
    });
    // Across the boat, on deck.
    let end = |way: f64| Vector::new(way as f32, 0.5 * SIZE[1] as f32, 0.0);
    let reach = 0.5 * (SIZE[0] + GAP);
    let hinge = RevoluteJointBuilder::new(Vector::Z)
        .local_anchor1(end(reach))
        .local_anchor2(end(-reach))
        .contacts_enabled(false);
    world.insert_impulse_joint(hulls[0].body, hulls[1].body, hinge);

    let frames = (seconds * RATE).round() as u32;
    // At rest the hulls displace their weight's worth of water.
    let water = simulation.read()?.fluid().count() as f64 * (2.0 * radius).powi(3);
    let level = (water + 2.0 * volume * HULL / WATER) / (TANK[0] * TANK[2]);
    let mut mean = 0.0;
    for frame in 1..=frames {
        world.step();
        for hull in &hulls {
            let pose = world.bodies[hull.body].position();
            let position = DVec3::from_array(pose.translation.to_array().map(f64::from));
            let turn = DQuat::from_array(pose.rotation.to_array().map(f64::from));
            simulation.set_kinematic_target(hull.solid, KinematicTarget::new(position, turn))?;
        }
        simulation.next_frame()?;

        let forces = simulation.forces();
        for (hull, water) in hulls.iter_mut().zip(&forces) {
            let body = &mut world.bodies[hull.body];
            let now = [body.linvel(), body.angvel()].map(|v| v.to_array());
            let tensor = body.mass_properties().effective_angular_inertia();
            let inertia = [Vector::X, Vector::Y, Vector::Z].map(|axis| (tensor * axis).to_array());
            let fluid = [water.mean_force, water.mean_torque].map(|v| v.map(|x| x as f32));
            let [force, torque] = hull.coupling.load(fluid, now, inertia).map(Vector::from_array);
            body.reset_forces(true);
            body.reset_torques(true);
            body.add_force(force, true);
            body.add_torque(torque, true);
        }

        let [bow, stern] = [0, 1].map(|at| world.bodies[hulls[at].body].position());
        let low = 0.5 * f64::from(bow.translation.y + stern.translation.y) - 0.5 * SIZE[1];
        let angle = (bow.rotation.inverse() * stern.rotation).to_scaled_axis().z.to_degrees();
        if frame % 40 == 0 {
            println!(
                "t = {:.2} s: draft {:.4} m, hinge {angle:.2}°",
                simulation.time(),
                level - low
            );
        }
        if 2 * frame > frames {
            mean += (level - low) / f64::from(frames - frames / 2);
        }
    }
    println!("mean draft of the last half: {mean:.4} m, by Archimedes {draft:.4} m");
    Ok(())
}

/// Floor and walls of the tank, which the hulls touch in Rapier alone.
fn add_tank(world: &mut PhysicsWorld) {
    let thick = 0.1_f32;
    for side in 0..5 {
        // Floor, and then walls in x and z.
        let [length, height, width] = TANK.map(|v| 0.5 * v as f32);
        let middle = Vector::new(length, height, width);
        let away = match side {
            0 => Vector::new(0.0, -height - thick, 0.0),
            1 | 2 => Vector::new((length + thick) * (2 * side - 3) as f32, 0.0, 0.0),
            _ => Vector::new(0.0, 0.0, (width + thick) * (2 * side - 7) as f32),
        };
        let half = |along: f32, wide: f32| if along == 0.0 { wide + 2.0 * thick } else { thick };
        let wall = ColliderBuilder::cuboid(
            half(away.x, length),
            half(away.y, height),
            half(away.z, width),
        );
        world.insert(RigidBodyBuilder::fixed().translation(middle + away), wall);
    }
}

fn vector(v: [f64; 3]) -> Vector {
    Vector::from_array(v.map(|v| v as f32))
}
