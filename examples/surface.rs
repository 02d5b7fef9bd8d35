//! The surface of the water as a triangle mesh, and resuming from a state:
//!
//!     cargo run --release --package examples --bin surface

use meniscus::{
    SurfaceOptions,
    blocking::Simulation,
    scene::{Boundary, Fluid, Scene},
};

fn main() -> Result<(), meniscus::Error> {
    let scene = Scene::new(0.05)
        .with_fluid(Fluid::block([0.0, 0.0, 0.0], [0.4, 0.8, 0.4]))
        .with_boundary(Boundary::tank([0.0, 0.0, 0.0], [1.2, 1.2, 0.4]));
    let mut simulation = Simulation::new(&scene)?;
    simulation.run_until(0.05)?;

    let options = SurfaceOptions { smoothing: 4, ..SurfaceOptions::default() };
    let mesh = simulation.surface(&options)?;
    println!("{} vertices, {} triangles", mesh.position.len(), mesh.triangles.len());
    assert!(!mesh.triangles.is_empty(), "water has a surface");

    // The complete state for resuming: positions, velocities, and the solver's data.
    let state = simulation.read()?;
    let highest = state.fluid().map(|particle| particle.position[1]).fold(0.0, f64::max);
    println!("{} particles, the highest at {highest:.3} m", state.fluid().count());
    let mut again = Simulation::resume(simulation.gpu(), &scene, &state)?;
    simulation.run_until(0.1)?;
    again.run_until(0.1)?;
    assert_eq!(simulation.read()?, again.read()?, "the same bits on the same device");
    Ok(())
}
