//! Rigid bodies of every family: what a disc that begins to fall in still water has to move with it, and a dry slider.

use meniscus::Error;
use meniscus_model::scene::{Body, Cuboid, Shape, Sphere};

use super::{Case, Trial, block};

const G: f64 = 9.81;
const DENSITY: f64 = 1000.0;
/// Families by one solver each, and those whose transfers differ.
const FAMILIES: &[&str] = &["wcsph", "dfsph", "flip", "mls_mpm"];
/// Solvers whose pressure answers at once.
const AT_ONCE: &[&str] = &["iisph", "dfsph", "pic", "flip", "apic", "polypic"];

/// Width of the tank and depth of its water in m.
const SIDE: f64 = 1.2;
/// Radius of the disc in m, and its density relative to the water's.
const RADIUS: f64 = 0.1;
const RATIO: f64 = 2.0;
/// Mass of the water that moves with it, of that which it displaces: 1 in unbounded water. Walls, floor and level repeat its
/// doublet as images.
const ADDED: f64 = 1.046;
/// Time over which it is measured, in s.
const FALL: f64 = 0.02;

pub(super) const ADDED_MASS: Case = Case {
    name: "added_mass",
    title: "A disc begins to fall",
    about: "A disc of twice the density of water, 0.1 m in radius, is released in the middle of still water 1.2 m wide and \
            deep, in 2-D, without viscosity. It has to move as much water with it as it displaces, and by the images of its \
            doublet beyond walls, floor and level 4.6 % more, so that it falls with g (2 − 1)/(2 + 1.046) = 3.22 m/s². Measured is the \
            error of its mean acceleration in the first 20 ms, in steps of 1 ms. The diameter is 10 spacings of SPH or cells in \
            tests, 20 in the table.",
    solvers: AT_ONCE,
    coarse: true,
    tunes: true,
    plots: &[],
    run: fall,
};

fn fall(trial: &mut Trial<'_>) -> Result<(), Error> {
    let part = if trial.on_a_grid() { 0.5 } else { 1.0 };
    let mut scene = trial.scene(part * trial.pick(0.02, 0.01));
    scene.support_radius = None;
    scene.time.fps = 1.0 / FALL;
    if trial.tunes() {
        scene.time.max_step = 0.001;
    }
    scene.materials[0].viscosity = Some(0.0);
    scene.fluids = vec![block([0.0; 2], [SIDE; 2])];
    scene.boundaries = vec![trial.tank([0.0; 2], [SIDE, 1.2 * SIDE])];
    let center = [0.5 * SIDE, 0.5 * SIDE, 0.0];
    let disc = Body::new(Shape::Sphere(Sphere { center, radius: RADIUS }));
    scene.bodies = vec![Body { density: Some(RATIO * DENSITY), ..disc }];
    let mut water = trial.start(&scene, trial.pick("diameter/10", "diameter/20"))?;
    water.next_frame()?;
    let [_, up, _] = water.simulation.bodies()[0].velocity;
    let due = -FALL * G * (RATIO - 1.0) / (RATIO + ADDED);
    trial.outcome.measure("error of the acceleration", 100.0 * (up / due - 1.0).abs(), "%", 10.0);
    Ok(())
}

/// Slope of the slider in degrees, and its friction where it slides and where it stays: tan 30° = 0.577.
const SLOPE: f64 = 30.0;
const SLIDES: f64 = 0.2;
const STAYS: f64 = 0.65;

pub(super) const SLIDER: Case = Case {
    name: "slider",
    title: "A dry slider",
    about: "A crate of 0.24 × 0.12 m on a dry slope of 30°, in 2-D: gravity is inclined, and a puddle lies far behind it. With a \
            friction of 0.2 it slides with g (sin θ − μ cos θ) = 3.21 m/s², measured from 0.1 s to 0.4 s; with 0.65, more \
            than tan θ, it stays, measured by its way in 0.4 s of that which it would slide without friction.",
    solvers: FAMILIES,
    coarse: true,
    tunes: false,
    plots: &[],
    run: slide,
};

fn slide(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (sin, cos) = SLOPE.to_radians().sin_cos();
    let mut run = |friction: f64| -> Result<(f64, f64), Error> {
        let mut scene = trial.scene(0.02);
        scene.gravity = [G * sin, -G * cos, 0.0];
        scene.time.fps = 100.0;
        scene.fluids = vec![block([2.0, 0.0], [2.4, 0.08])];
        scene.boundaries = vec![trial.tank([0.0; 2], [2.4, 0.6])];
        let crate_ = Cuboid { min: [0.1, 0.0, 0.0], max: [0.34, 0.12, 0.0] };
        let body = Body::new(Shape::Box(crate_));
        scene.bodies = vec![Body { density: Some(600.0), friction, ..body }];
        let mut water = trial.start(&scene, "height/6")?;
        let first = water.simulation.bodies()[0].position[0];
        let mut at = [0.0; 40];
        for speed in &mut at {
            water.next_frame()?;
            *speed = water.simulation.bodies()[0].velocity[0];
        }
        let way = water.simulation.bodies()[0].position[0] - first;
        Ok(((at[39] - at[9]) / 0.3, way))
    };
    let (acceleration, _) = run(SLIDES)?;
    let (_, way) = run(STAYS)?;
    let due = G * (sin - SLIDES * cos);
    let outcome = &mut trial.outcome;
    outcome.measure(
        "error of the acceleration",
        100.0 * (acceleration / due - 1.0).abs(),
        "%",
        2.0,
    );
    let free = 0.5 * G * sin * 0.4 * 0.4;
    outcome.measure("way where it stays, of free", 100.0 * way.abs() / free, "%", 1.0);
    Ok(())
}
