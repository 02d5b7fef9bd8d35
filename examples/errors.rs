//! Error messages of invalid scenes:
//!
//!     cargo run --release --package examples --bin errors

use meniscus::{
    Error, GpuOptions, ProblemKind,
    blocking::{Simulation, open},
    check,
    scene::{Boundary, Fluid, Scene},
};

fn main() -> Result<(), Error> {
    // Two fluids in one place, found without a device.
    let overlapping = Scene::new(0.05)
        .with_fluid(Fluid::block([0.0, 0.0, 0.0], [0.4, 0.4, 0.4]))
        .with_fluid(Fluid::block([0.2, 0.0, 0.0], [0.6, 0.4, 0.4]))
        .with_boundary(Boundary::tank([0.0, 0.0, 0.0], [1.0, 1.0, 0.4]));
    match check(&overlapping) {
        Err(Error::Scene(problems)) => {
            assert_eq!(problems[0].kind, ProblemKind::Overlap);
            println!("{}", problems[0]);
        }
        other => panic!("overlapping fluids are a problem of the scene: {other:?}"),
    }

    let gpu = open(&GpuOptions::default())?;

    assert!(matches!(Simulation::on(&gpu, &overlapping), Err(Error::Scene(_))), "the same check");

    let mut scene = Scene::new(0.05)
        .with_fluid(Fluid::block([0.0, 0.0, 0.0], [0.4, 0.4, 0.4]))
        .with_boundary(Boundary::tank([0.0, 0.0, 0.0], [1.0, 1.0, 0.4]));
    scene.particle_radius = -1.0;
    match Simulation::on(&gpu, &scene) {
        Err(Error::Scene(problems)) => {
            assert_eq!(problems[0].path, "particle_radius");
            println!("{}", problems[0]);
        }
        other => panic!("a negative radius is a problem of the scene: {other:?}"),
    }

    let options = GpuOptions { adapter: Some("no such adapter".into()), ..GpuOptions::default() };
    match open(&options) {
        Err(Error::NoAdapter(sentence)) => println!("{sentence}"),
        other => panic!("there is no adapter of that name: {other:?}"),
    }
    Ok(())
}
