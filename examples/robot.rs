//! A robot arm stirs a tank, a boat holds its place by its thruster, and a current comes and goes, all told what to do by
//! the program in each frame:
//!
//!     cargo run --release --package examples --bin robot

use meniscus::{
    KinematicTarget,
    blocking::Simulation,
    glam::{DQuat, DVec3},
    scene::{Body, Boundary, Cuboid, Fluid, Force, Scene, Sphere},
};

/// Of the arm, in rad/s.
const RATE: f64 = 8.0;

fn main() -> Result<(), meniscus::Error> {
    let mut paddle = Body::new(Cuboid { min: [0.2, 0.1, 0.0], max: [0.24, 0.45, 0.0] }.into());
    paddle.name = Some("paddle".into());
    paddle.fixed = true;
    let mut boat = Body::new(Sphere { center: [0.7, 0.31, 0.0], radius: 0.06 }.into());
    boat.name = Some("boat".into());
    boat.density = Some(400.0);
    let scene = Scene::new(0.0125)
        .in_2d()
        .with_solver("iisph")
        .with_fps(50.0)
        .with_fluid(Fluid::block([0.0, 0.0, 0.0], [1.0, 0.3, 0.0]))
        .with_boundary(Boundary::tank([0.0, 0.0, 0.0], [1.0, 0.8, 0.0]))
        .with_body(paddle)
        .with_body(boat);
    let mut simulation = Simulation::new(&scene)?;
    let paddle = simulation.solid("paddle").expect("the scene has one");
    let boat = simulation.solid("boat").expect("the scene has one");
    let start = simulation.place(paddle)?.pose;

    let push = |strength: f64| Force::Uniform { acceleration: [strength, 0.0, 0.0] };
    let current = simulation.add_force_field(&push(0.5))?;
    for frame in 1..=20 {
        // The arm swings 10 cm to and fro, and turns as it does.
        let (sin, cos) = (RATE * f64::from(frame) / 50.0).sin_cos();
        let position = start.position + 0.05 * (1.0 - cos) * DVec3::X;
        let goal = KinematicTarget::new(position, DQuat::from_rotation_z(0.2 * (1.0 - cos)))
            .with_velocities(0.05 * RATE * sin * DVec3::X, 0.2 * RATE * sin * DVec3::Z);
        simulation.set_kinematic_target(paddle, goal)?;

        // The thruster is a spring with a damper.
        let place = simulation.place(boat)?;
        let away = place.pose.position.x - 0.7;
        simulation.set_force(
            boat,
            DVec3::X * (-80.0 * away - 20.0 * place.velocity.x),
            DVec3::ZERO,
        )?;

        match frame {
            10 => simulation.set_force_field(current, &push(-0.5))?,
            15 => simulation.remove_force_field(current)?,
            _ => {}
        }
        simulation.next_frame()?;
        let force = simulation.forces()[0].mean_force;
        println!(
            "t = {:.2} s: boat at {:.3} m, {:.1} N/m on the paddle",
            simulation.time(),
            simulation.place(boat)?.pose.position.x,
            force[0]
        );
    }
    let way = simulation.place(paddle)?.pose.position.x - start.position.x;
    assert!(
        (way - 0.05 * (1.0 - (0.4 * RATE).cos())).abs() < 1e-6,
        "the arm is where it was told to be: {way}"
    );
    Ok(())
}
