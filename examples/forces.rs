//! A controller tilts gravity as if it shook a tank, and reads the water's force on the tank:
//!
//!     cargo run --release --package examples --bin forces

use meniscus::{
    Measured,
    blocking::Simulation,
    glam::DVec3,
    scene::{Boundary, Fluid, Scene},
};

fn main() -> Result<(), meniscus::Error> {
    let tank = Boundary::tank([0.0, 0.0, 0.0], [0.5, 0.5, 0.0]).measured("tank");
    let scene = Scene::new(0.0125)
        .in_2d()
        .with_fps(50.0)
        .with_gravity([0.0, -9.81, 0.0])
        .with_fluid(Fluid::block([0.0, 0.0, 0.0], [0.5, 0.2, 0.0]))
        .with_boundary(tank);
    let mut simulation = Simulation::new(&scene)?;
    let pressure = simulation.quantities().into_iter().find(|one| one.name == "pressure");
    let pressure: Vec<_> = pressure.into_iter().collect();
    for frame in 0..10 {
        let lean = (0.3 * f64::from(frame)).sin();
        simulation.set_gravity(DVec3::new(lean, -9.81, 0.0))?;
        simulation.next_frame()?;
        let forces = simulation.forces();
        let [force_x, force_y, _] = forces[0].mean_force;
        let measured: Vec<Measured> = simulation.measure(&pressure)?;
        println!(
            "t = {:.2} s: {force_x:.1} N/m, {force_y:.1} N/m on the {}, pressure {:.0} Pa",
            simulation.time(),
            forces[0].name,
            measured[0].mean
        );
    }
    Ok(())
}
