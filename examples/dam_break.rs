//! A dam break built in Rust:
//!
//!     cargo run --release --package examples --bin dam_break

use meniscus::{
    blocking::Simulation,
    scene::{Boundary, Fluid, Scene, Shape, Sphere},
};

fn main() -> Result<(), meniscus::Error> {
    let scene = Scene::new(0.025)
        .with_solver("wcsph")
        .with_fluid(Fluid::block([0.0, 0.0, 0.0], [0.3, 0.6, 0.3]))
        .with_boundary(Boundary::tank([0.0, 0.0, 0.0], [1.0, 1.0, 0.3]))
        .with_boundary(Boundary::obstacle(Shape::Sphere(Sphere {
            center: [0.7, 0.1, 0.15],
            radius: 0.1,
        })));
    let mut simulation = Simulation::new(&scene)?;
    println!("on {}", simulation.gpu().info().name);
    while simulation.time() < 0.1 {
        simulation.next_frame()?;
        let report = simulation.report()?;
        println!(
            "t = {:.3} s, step {}: {} particles, kinetic energy {:.2} J, density error {:.2} %",
            report.time,
            report.steps,
            report.fluid,
            report.kinetic_energy,
            report.density_error_max
        );
    }
    Ok(())
}
