//! What is measured does not depend on where in space, and where between the lines of a grid, a scene lies.

use glam::DVec3;

use super::{
    Finding, Trial,
    trial::{Run, moved},
};

/// Displacements in cells of a grid, or in spacings: no symmetry of the box maps one to another.
const PARTS: [[f64; 3]; 2] = [[0.5, 0.5, 0.5], [0.19, 0.73, 0.41]];

/// Displacement in m at which f32 would keep a tenth of a millimetre.
const FAR: [f64; 3] = [1000.0, -1000.0, 1000.0];

/// Largest change of what is measured, relative to its scale: 1 % at eight cells.
const BOUND: f64 = 0.01;

pub(super) fn check(trial: &Trial<'_>) -> Vec<Finding> {
    let base = trial.run(|_| {});
    let flat = base.scene.dimensions == 2;
    let plane = |by: [f64; 3]| if flat { [by[0], by[1], 0.0] } else { by };
    let unit = 2.0 * base.scene.spacing();
    let mut findings = Vec::new();
    for part in PARTS {
        let by = plane(part.map(|part| part * unit));
        let other = trial.run(|keys| moved(keys, by, false));
        findings.extend(compare(&format!("by {part:?} cells"), &base, &other, by));
    }
    let by = plane(FAR);
    let other = trial.run(|keys| moved(keys, by, true));
    findings.extend(compare("by 1,000 m", &base, &other, by));
    findings
}

/// Differences of two runs, of which the second is displaced.
fn compare(how: &str, a: &Run, b: &Run, by: [f64; 3]) -> Vec<Finding> {
    let (length, speed, by) = (a.length(), a.speed(), DVec3::from(by));
    let mut findings = Vec::new();
    let mut add = |what: &str, error: f64, scale: f64| {
        findings.push(Finding::new(format!("{how}, {what}"), error / scale, BOUND));
    };
    let (one, two) = (a.end(), b.end());
    if one.report.mass > 0.0 {
        add("mass", (two.report.mass - one.report.mass).abs(), one.report.mass);
        let [from, to] = [one, two].map(|end| DVec3::from(end.report.center_of_mass));
        add("centre of mass", (to - from - by).length(), length);
    }
    if one.report.smoke > 0.0 {
        add("smoke", (two.report.smoke - one.report.smoke).abs(), one.report.smoke);
    }
    if one.temperature > 0.0 {
        add("temperature", (two.temperature - one.temperature).abs(), one.temperature);
    }
    for (x, y) in one.bodies.iter().zip(&two.bodies) {
        let [from, to] = [x, y].map(|body| DVec3::from(body.position));
        add(&format!("place of {}", x.name), (to - from - by).length(), length);
    }
    // Means over the run: what acts at one moment rings with the pressure.
    let sum = |run: &Run, k: usize| run.frames.iter().map(|f| f.impulses[k].1).sum::<DVec3>();
    for (k, (name, _)) in one.impulses.iter().enumerate() {
        add(&format!("impulse on {name}"), (sum(b, k) - sum(a, k)).length(), a.impulse());
    }
    for ((name, x), (_, y)) in one.probes.iter().zip(&two.probes) {
        let scale = match name.rsplit('.').next() {
            Some("vx" | "vy" | "vz") => speed,
            Some("pressure") => {
                let density = a.scene.materials.first().map_or(1.0, |one| one.rest_density);
                density * DVec3::from(a.scene.gravity).length() * length
            }
            _ => x.abs().max(1e-9),
        };
        add(name, (y - x).abs(), scale);
    }
    findings
}
