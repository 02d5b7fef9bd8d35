//! Archimedes: the buoyancy of an immersed body is ρ g V, the draft of a floating box the ratio of the densities.

use meniscus::Error;
use meniscus_model::scene::{Body, Cuboid, Shape};

use super::{COARSE, Case, Trial, block};
use crate::device::block_on;

const G: f64 = 9.81;
const DENSITY: f64 = 1000.0;
/// Size of the tank and its water in m.
const WIDTH: f64 = 1.2;
const DEPTH: f64 = 0.48;
/// Size of the box in m.
const BOX: [f64; 2] = [0.48, 0.24];
/// Density of the floating box, relative to the water's.
const RATIO: f64 = 0.625;

pub(super) const CASE: Case = Case {
    name: "archimedes",
    title: "Archimedes",
    about: "A tank 1.2 m wide with water 0.48 m deep, in 2-D, and a box of 0.48 × 0.24 m. Buoyancy is the force on \
            the box held 0.12 m above the floor, against ρ g V. Draft is the depth of the box below the water level when \
            it floats with 0.625 of the water's density, 0.15 m in theory. Both are means over the last third of 1.5 s. \
            With SPH the water has 20 Pa s, so that it settles.",
    solvers: &["muller", "wcsph", "pcisph", "iisph", "dfsph", "flip", "apic", "mls_mpm"],
    tunes: true,
    everyday: &["dfsph"],
    run,
    ..COARSE
};

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (force, aside) = mean(trial, true)?;
    let buoyancy = DENSITY * G * BOX[0] * BOX[1];
    let (draft, _) = mean(trial, false)?;
    let outcome = &mut trial.outcome;
    outcome.measure("error of buoyancy", 100.0 * (force / buoyancy - 1.0).abs());
    outcome.measure("force aside, of buoyancy", 100.0 * (aside / buoyancy).abs());
    outcome.measure("error of the draft", 100.0 * (draft / (RATIO * BOX[1]) - 1.0).abs());
    Ok(())
}

/// Mean upward and sideways force on the held box, or its mean draft.
fn mean(trial: &mut Trial<'_>, held: bool) -> Result<(f64, f64), Error> {
    let spacing = trial.pick(0.04, 0.015);
    let mut scene = trial.scene(spacing);
    // The default, for which the depth of bodies' particles gives the correct buoyancy.
    scene.support_radius = None;
    scene.time.fps = 100.0;
    if trial.tunes() && !trial.on_a_grid() {
        Trial::sound_speed(&mut scene, trial.pick(25.0, 40.0));
        scene.time.max_step = 0.001;
        scene.materials[0].viscosity = Some(20.0);
    }
    scene.fluids = vec![block([0.0; 2], [WIDTH, DEPTH])];
    // Undisturbed rows would keep their order around a box that fits them.
    scene.fluids[0].jitter = 0.1;
    scene.boundaries = vec![trial.tank([0.0; 2], [WIDTH, 2.0 * DEPTH])];
    let low = if held { 0.12 } else { DEPTH - RATIO * BOX[1] };
    let (left, right) = (0.5 * (WIDTH - BOX[0]), 0.5 * (WIDTH + BOX[0]));
    let mut body =
        Body::new(Shape::Box(Cuboid { min: [left, low, 0.0], max: [right, low + BOX[1], 0.0] }));
    body.fixed = held;
    body.density = (!held).then_some(RATIO * DENSITY);
    // Pressure only: slowly settling water drags downwards. A floating box comes to rest by drag.
    body.drag = if held || !trial.tunes() || trial.on_a_grid() { 0.0 } else { 1.0 };
    scene.bodies = vec![body];
    let (end, progress) = (1.5, trial.progress);
    let begin = if held { 0.0 } else { 0.5 };
    let resolution = trial.pick("height/6", "height/16");
    let mut water = trial.start(&scene, resolution)?;
    let volume = water.state()?.len() as f64 * spacing * spacing;
    let (mut sums, mut duration) = ((0.0, 0.0), 0.0);
    while water.time() < end - 1e-9 {
        let before = water.time();
        let measures = before > end * 2.0 / 3.0 - 1e-9;
        if held && measures {
            // Forces are those of the last step only, and steps differ in length.
            block_on(water.gpu, water.simulation.step(1))?;
        } else {
            water.next_frame()?;
        }
        progress(begin + 0.5 * water.time() / end);
        if !measures {
            continue;
        }
        let weight = water.time() - before;
        let body = &water.simulation.bodies()[0];
        let low = body.position[1] - 0.5 * BOX[1];
        let draft = (volume / WIDTH - low) / (1.0 - BOX[0] / WIDTH);
        let (up, aside) = if held { (body.force[1], body.force[0]) } else { (draft, 0.0) };
        sums = (sums.0 + weight * up, sums.1 + weight * aside);
        duration += weight;
    }
    Ok((sums.0 / duration, sums.1 / duration))
}
