//! Rigid bodies of every family: what a disc that begins to fall in still water has to move with it, a ball that sinks in honey, and a
//! dry slider.

use std::f64::consts::PI;

use glam::DVec3;
use meniscus::Error;
use meniscus_model::scene::{Body, Cuboid, Domain, Fluid, Shape, Sphere};

use super::{COARSE, Case, Expected, Plot, Trial, block};

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
    about: "A disc of twice the density of water, 0.1 m in radius, is released in still water 1.2 m wide and deep, \
            in 2-D, without viscosity. It moves as much water as it displaces, and 4.6 % more by walls, floor and level, \
            so that it falls with g (2 − 1)/(2 + 1.046) = 3.22 m/s². Measured is the error of its mean acceleration in \
            the first 20 ms, in steps of 1 ms.",
    solvers: AT_ONCE,
    tunes: true,
    everyday: &["dfsph", "flip"],
    run: fall,
    ..COARSE
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
    trial.outcome.measure("error of the acceleration", 100.0 * (up / due - 1.0).abs());
    Ok(())
}

/// Radius of the ball and edge of the cube in m, viscosity in Pa·s, and the weight per mass that sets all in motion, in m/s².
const BALL: f64 = 0.02;
const CUBE: f64 = 0.1;
const HONEY: f64 = 20.0;
const PULL: f64 = 0.25;

pub(super) const SINK: Case = Case {
    name: "sinking_ball",
    title: "A ball sinks in honey",
    about: "A ball a = 2 cm in radius in a periodic cube of 10 cm of 20 Pa·s, by implicit viscosity without slip \
            (`drag = 10`). The ball is pulled down as hard as the liquid is pulled up. Measured is its mean speed from \
            0.1 s to 0.2 s, against that at which the drag 6π μ a U/K carries the pull, with K = 1 − 1.7601 c^⅓ + c − \
            1.5593 c² and c the ball's fraction of the volume (Hasimoto 1959). The Reynolds number is 0.03. Grids have \
            no such row: their viscosity does not act on bodies.",
    solvers: &["wcsph", "dfsph"],
    plots: &[Plot {
        name: "speed",
        title: "Speed of a ball that sinks in honey",
        x: "time / s",
        y: "speed / theory",
        scattered: false,
        expected: &[Expected {
            label: "Hasimoto 1959",
            points: || vec![(0.0, 1.0), (0.2, 1.0)],
            line: true,
        }],
    }],
    everyday: &["dfsph"],
    run: sink,
    ..COARSE
};

fn sink(trial: &mut Trial<'_>) -> Result<(), Error> {
    let spacing = BALL / trial.pick(3.0, 6.0);
    let mut scene = trial.scene(spacing);
    scene.dimensions = 3;
    scene.support_radius = Some(3.0 * spacing);
    scene.gravity = [0.0, PULL, 0.0];
    scene.materials[0].viscosity = Some(HONEY);
    scene.settings.set("viscosity.model", "implicit");
    (scene.time.max_step, scene.time.fps) = (0.002, 50.0);
    Trial::sound_speed(&mut scene, 10.0);
    let (min, max) = ([-0.5 * CUBE; 3], [0.5 * CUBE; 3]);
    scene.domain = Some(Domain { min, max, periodic: [true; 3] });
    scene.fluids = vec![Fluid::new(Shape::Box(Cuboid { min, max }))];
    let ball = Body::new(Shape::Sphere(Sphere { center: [0.0; 3], radius: BALL }));
    scene.bodies = vec![Body { density: Some(DENSITY), drag: 10.0, ..ball }];
    let volume = 4.0 / 3.0 * PI * BALL.powi(3);
    let c = volume / CUBE.powi(3);
    let factor = 1.0 - 1.7601 * c.cbrt() + c - 1.5593 * c * c;
    let due = DENSITY * PULL * CUBE.powi(3) * factor / (6.0 * PI * HONEY * BALL);
    let progress = trial.progress;
    let mut honey = trial.start(&scene, trial.pick("a/3", "a/6"))?;
    // As much as gravity lifts, of the liquid as the simulation has it.
    let liquid = (honey.state()?.len() as f64 * spacing.powi(3)) * DENSITY;
    let pull = -PULL * (liquid + volume * DENSITY);
    let ball = honey.simulation.bodies()[0].solid;
    honey.simulation.set_force(ball, DVec3::new(0.0, pull, 0.0), DVec3::ZERO)?;
    let mut speeds = vec![(0.0, 0.0)];
    let mut at = [0.0; 10];
    for (k, height) in at.iter_mut().enumerate() {
        honey.next_frame()?;
        progress((k as f64 + 1.0) / 10.0);
        let ball = &honey.simulation.bodies()[0];
        *height = ball.position[1];
        speeds.push((honey.time(), -ball.velocity[1] / due));
    }
    let speed = (at[4] - at[9]) / 0.1;
    trial.outcome.measure("error of the speed", 100.0 * (speed / due - 1.0).abs());
    trial.outcome.curve("speed", speeds);
    Ok(())
}

/// Slope of the slider in degrees, and its friction where it slides and where it stays: tan 30° = 0.577.
const SLOPE: f64 = 30.0;
const SLIDES: f64 = 0.2;
const STAYS: f64 = 0.65;

pub(super) const SLIDER: Case = Case {
    name: "slider",
    title: "A dry slider",
    about: "A crate of 0.24 × 0.12 m on a dry slope of 30°, in 2-D. With a friction of 0.2 it slides with g (sin θ − \
            μ cos θ) = 3.21 m/s², measured from 0.1 s to 0.4 s. With 0.65, more than tan θ, it stays: measured is its \
            way in 0.4 s, of that without friction.",
    solvers: FAMILIES,
    everyday: &["dfsph"],
    run: slide,
    ..COARSE
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
    outcome.measure("error of the acceleration", 100.0 * (acceleration / due - 1.0).abs());
    let free = 0.5 * G * sin * 0.4 * 0.4;
    outcome.measure("way where it stays, of free", 100.0 * way.abs() / free);
    Ok(())
}
