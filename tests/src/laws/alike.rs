//! What is measured in two runs of one scene.

use glam::DVec3;

use super::{Finding, trial::Run};

/// How the second run is related to the first.
#[derive(Clone, Copy)]
pub(super) struct Relation<'a> {
    /// Its places by those of the first.
    pub(super) place: &'a dyn Fn(DVec3) -> DVec3,
    /// Factor on impulses.
    pub(super) impulse: f64,
    /// Largest difference, relative to what is compared.
    pub(super) bound: f64,
}

/// Differences of centres of mass, bodies, impulses and temperatures at the ends.
pub(super) fn compare(how: &str, a: &Run, b: &Run, relation: Relation<'_>) -> Vec<Finding> {
    let Relation { place, impulse, bound } = relation;
    let mut findings = Vec::new();
    let mut add = |what: String, error: f64, scale: f64| {
        findings.push(Finding::new(format!("{how}{what}"), error / scale, bound));
    };
    let ([one, two], length) = ([a.end(), b.end()], b.length());
    let apart = |x: [f64; 3], y: [f64; 3]| place(x.into()).distance(y.into());
    if one.report.mass > 0.0 {
        let [x, y] = [one, two].map(|end| end.report.center_of_mass);
        add("centre of mass".into(), apart(x, y), length);
    }
    for body in &one.bodies {
        let twin = two.bodies.iter().find(|twin| twin.name == body.name).expect("the same bodies");
        add(format!("place of {}", body.name), apart(body.position, twin.position), length);
    }
    // Over the run: what acts at one moment rings with the pressure. They turn with places, and have a factor of their own.
    let straight = |v: DVec3| place(v) - place(DVec3::ZERO);
    let unit = straight(DVec3::X).length();
    let others = b.impulses();
    for (name, one) in a.impulses() {
        let due = impulse / unit * straight(one);
        add(format!("impulse on {name}"), due.distance(others[name]), b.impulse());
    }
    if one.temperature > 0.0 {
        add("temperature".into(), (two.temperature - one.temperature).abs(), one.temperature);
    }
    findings
}
