//! A scene file in one call, and what is wrong with another:
//!
//!     cargo run --release --package examples --bin load

use meniscus::{Error, blocking::Simulation, load};

fn main() -> Result<(), Error> {
    let scene = load(concat!(env!("CARGO_MANIFEST_DIR"), "/tank.toml"))?;
    let mut simulation = Simulation::new(&scene)?;
    simulation.run_until(scene.time.until)?;
    let state = simulation.read()?;
    let farthest = state.fluid().map(|particle| particle.position[0]).fold(0.0, f64::max);
    println!("{}: the front is at {farthest:.2} m after {:.1} s", scene.title, simulation.time());

    match load("no such scene") {
        Err(Error::File(error)) => println!("{error}"),
        other => panic!("there is no such file: {other:?}"),
    }
    Ok(())
}
