//! A method of one's own in a program of one's own: wind that drags at every particle of an SPH liquid, as a model of viscosity
//! beside the built-in ones. A scene names it (`viscosity.model = "breeze"`), has its key (`viscosity.rate`), and any solver of SPH
//! takes it in. It measures how far the wind blows each particle, by an array, two passes, and stages that join the solver's.
//!
//!     cargo run --release --manifest-path examples/own_method/Cargo.toml
//!
//! docs/adding.md explains the parts, and goes on with loops and solvers.

use meniscus::{
    Error, GpuOptions, Shaders, Simulation,
    blocking::{block_on, open},
    methods::{
        Axis, Key, Method, Number, Place, Quantity, Registry,
        arrays::{Lane, Row},
        passes,
        space::PARTICLES,
        stage::run,
    },
    scene::{Boundary, Fluid, Scene},
};

/// The way in m that each particle went along the wind; part of states and checkpoints.
const BLOWN: Row = Row::new("blown", "f32", PARTICLES).persistent().lanes(&[Lane {
    lanes: "x",
    quantity: "way",
    unit: "m",
}]);

/// a = rate (w − v), with a wind w of 2 m/s along x.
static BREEZE: Method = Method {
    source: "this example",
    help: "wind drags at every particle",
    keys: &[&[Key::number("rate", [0.0, 1e3], 1.0, "Rate of the drag.").unit("1/s")]],
    numbers: &[Number::new("rate", "rate in 1/s", |scene| scene.number("viscosity.rate"))],
    // A term is what the walk over neighbours calls; this one needs no neighbours.
    term: Some("viscosity_breeze"),
    // The second array is the first in the order of the sort, which each step makes anew.
    arrays: &[&[BLOWN, Row::new("kept", "f32", PARTICLES)]],
    passes: &[&[passes::each("breeze/keep", PARTICLES), passes::each("breeze/blow", PARTICLES)]],
    stages: &[
        (Place::Sorted, |_| vec![run("breeze/keep")]),
        (Place::End, |_| vec![run("breeze/blow")]),
    ],
    quantities: &[Quantity::new("blown", BLOWN, "x", "way along the wind")],
    shaders: &[
        ("terms/viscosity_breeze", include_str!("breeze/term.wgsl")),
        ("breeze/keep", include_str!("breeze/keep.wgsl")),
        ("breeze/blow", include_str!("breeze/blow.wgsl")),
    ],
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
    let way = block_on(&gpu, simulation.measure(BREEZE.quantities))?[0].mean;
    println!(
        "after 0.05 s the water moves at {speed:.2} m/s along the wind, {:.1} mm from its place",
        1e3 * way
    );
    // 2 m/s (1 − e^(−5/s t)) without walls: 0.44 m/s; its integral, 11.5 mm, and half a step of this speed, 1 mm.
    assert!((0.3..0.5).contains(&speed), "{speed} m/s");
    assert!((0.0115..0.0135).contains(&way), "{way} m");
    Ok(())
}
