//! What is measured does not depend on where in space, and where between the lines of a grid, a scene lies.

use glam::DVec3;

use super::{
    Finding, Trial,
    alike::{Relation, compare},
    keys::displace,
    trial::Run,
};

/// Displacements in cells of a grid, or in spacings: no symmetry of the box maps one to another.
const PARTS: [[f64; 3]; 2] = [[0.5, 0.5, 0.5], [0.19, 0.73, 0.41]];

/// Displacement in m at which f32 would keep a tenth of a millimetre.
const FAR: [f64; 3] = [1000.0, -1000.0, 1000.0];

/// Largest change of what is measured, relative to its scale: 1 % at eight cells.
const BOUND: f64 = 0.01;

pub(super) fn check(trial: &Trial<'_>) -> Vec<Finding> {
    let base = trial.run(|_| {});
    let plane = if base.scene.dimensions == 2 { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
    let cell = 2.0 * base.scene.spacing();
    let mut findings = Vec::new();
    let parts = PARTS.map(|part| (format!("by {part:?} cells, "), cell * DVec3::from(part), false));
    for (how, by, with_domain) in
        parts.into_iter().chain([("by 1,000 m, ".into(), FAR.into(), true)])
    {
        let by = by * plane;
        let other = trial.run(|keys| displace(keys, by, with_domain));
        let relation = Relation { place: &|x| x + by, impulse: 1.0, bound: BOUND };
        findings.extend(compare(&how, &base, &other, relation));
        findings.extend(numbers(&how, &base, &other));
    }
    findings
}

/// Differences of what has no place: masses, smoke, and the values of probes.
fn numbers(how: &str, a: &Run, b: &Run) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |what: &str, x: f64, y: f64, scale: f64| {
        findings.push(Finding::new(format!("{how}{what}"), (y - x).abs() / scale, BOUND));
    };
    let (one, two) = (a.end(), b.end());
    if one.report.mass > 0.0 {
        add("mass", one.report.mass, two.report.mass, one.report.mass);
    }
    if one.report.smoke > 0.0 {
        add("smoke", one.report.smoke, two.report.smoke, one.report.smoke);
    }
    for ((name, x), (_, y)) in one.probes.iter().zip(&two.probes) {
        let scale = match name.rsplit('.').next() {
            Some("vx" | "vy" | "vz") => a.speed(),
            Some("pressure") => {
                let density = a.scene.materials.first().map_or(1.0, |one| one.rest_density);
                density * DVec3::from(a.scene.gravity).length() * a.length()
            }
            _ => x.abs().max(1e-9),
        };
        add(name, *x, *y, scale);
    }
    findings
}
