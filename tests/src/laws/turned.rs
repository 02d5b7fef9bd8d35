//! What is measured turns with the scene, and grows with it.

use glam::{DMat3, DVec3};

use super::{
    Finding, Trial,
    alike::{Relation, compare},
    keys,
    trial::Run,
};

/// Largest change, relative: sums in another order and rounding, which grow while fluid moves.
const BOUND: f64 = 0.01;

/// Largest change of what is at rest on a grid, whose cells are the same ones.
const ON_GRID: f64 = 1e-3;

/// Speed of what is at rest, relative to that of a fall by the scene's length.
const LITTLE: f64 = 0.02;

/// Factor on lengths.
const SCALE: f64 = 10.0;

pub(super) fn check(trial: &Trial<'_>) -> Vec<Finding> {
    let base = trial.run(|_| {});
    let quarter = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let still = base.is_on_grid() && base.end().report.max_speed < LITTLE * base.speed();
    let bound = if still { ON_GRID } else { BOUND };
    let mut findings = Vec::new();
    for (how, by) in [("a quarter turn, ", quarter), ("a mirror, ", mirror)] {
        let other = trial.run(|keys| keys::turn(keys, by));
        let relation = Relation { place: &|x| by * x, impulse: 1.0, bound };
        findings.extend(compare(how, &base, &other, relation));
        findings.extend(energy(how, &base, &other, 1.0, bound));
    }
    findings
}

pub(super) fn scale(trial: &Trial<'_>) -> Vec<Finding> {
    let base = trial.run(|_| {});
    let other = trial.run(|keys| keys::scale(keys, SCALE));
    // Weights grow with the volume, impulses with the time as well.
    let impulse = SCALE.powi(base.scene.dimensions as i32) * SCALE.sqrt();
    let relation = Relation { place: &|x| SCALE * x, impulse, bound: BOUND };
    let how = "ten times as large, ";
    let mut findings = compare(how, &base, &other, relation);
    findings.extend(energy(how, &base, &other, SCALE, BOUND));
    findings
}

/// Difference of kinetic energies per mass, of which the second is as many times the first. (One particle's speed says nothing
/// where fluid splashes.)
fn energy(how: &str, a: &Run, b: &Run, times: f64, bound: f64) -> Option<Finding> {
    let energy = |run: &Run| run.end().report.kinetic_energy / run.end().report.mass;
    let change = (energy(b) - times * energy(a)).abs() / (0.5 * b.speed().powi(2));
    let moves = a.end().report.mass > 0.0;
    moves.then(|| Finding::new(format!("{how}kinetic energy"), change, bound))
}
