//! A method of one's own: wind that drags at every particle of an SPH liquid, as a model of viscosity beside the built-in ones.
//! A scene names it (`viscosity.model = "breeze"`), has its key (`viscosity.rate`), and any solver of SPH takes it in.
//!
//!     cargo run --release --package examples --bin own_method
//!
//! docs/adding.md goes on with arrays, passes and solvers.

use meniscus::{
    Error, GpuOptions, Shaders, Simulation,
    blocking::{block_on, open},
    methods::{Axis, Key, Method, Number, Registry},
    scene::{Boundary, Fluid, Scene},
};

/// a = rate (w − v), with a wind w of 2 m/s along x.
static BREEZE: Method = Method {
    source: "this example",
    help: "wind drags at every particle",
    keys: &[&[Key::number("rate", [0.0, 1e3], 1.0, "Rate of the drag.").unit("1/s")]],
    numbers: &[Number::new("rate", "rate in 1/s", |scene| scene.number("viscosity.rate"))],
    // Terms are functions that the walk over neighbours calls; this one needs no neighbours.
    term: Some("viscosity_breeze"),
    shaders: &[(
        "terms/viscosity_breeze",
        "fn viscosity_breeze_acceleration(i: u32) -> vec3<f32> {
            return params.methods.viscosity_breeze.rate * (vec3<f32>(2.0, 0.0, 0.0) - velocity_i.xyz);
        }",
    )],
    ..Method::new("breeze", Axis::Viscosity)
};

fn main() -> Result<(), Error> {
    let registry = Registry::standard().with(&BREEZE);
    let mut scene = Scene::new(0.025)
        .with_fluid(Fluid::block([0.2, 0.0, 0.0], [0.6, 0.4, 0.3]))
        .with_boundary(Boundary::tank([0.0, 0.0, 0.0], [1.0, 0.6, 0.3]));
    scene.settings.set("viscosity.model", "breeze");
    scene.settings.set("viscosity.rate", 5.0);

    let gpu = open(&GpuOptions::default())?;
    let shaders = Shaders::standard();
    let mut simulation =
        block_on(&gpu, Simulation::with_methods(&gpu, &scene, &shaders, &registry))?;
    block_on(&gpu, simulation.run_until(0.05))?;
    let report = block_on(&gpu, simulation.report())?;
    let speed = report.momentum[0] / (f64::from(report.fluid) * 0.05_f64.powi(3) * 1000.0);
    println!("after 0.05 s the water moves at {speed:.2} m/s along the wind");
    // 2 m/s (1 − e^(−5/s t)) without walls: 0.44 m/s.
    assert!((0.3..0.5).contains(&speed), "{speed} m/s");
    Ok(())
}
