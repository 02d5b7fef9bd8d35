//! What steps and frames may change.

use glam::DVec3;
use toml::{Table, Value};

use super::{
    Finding, Trial,
    alike::{Relation, compare},
    said::FAMILIES,
    trial::{Frame, Run},
};

/// Differences of halved steps fall to a half with a method of first order, and stay without order.
const FALL: f64 = 0.75;

/// Largest effect of frames and steps, in particle spacings: less than that of the resolution.
const SPACINGS: f64 = 0.15;

/// Largest distance from the parabola, relative to the path.
const OF_PATH: f64 = 1e-5;

fn time(key: &'static str, value: f64) -> impl Fn(&mut Table) {
    move |keys| {
        let time = keys.entry("time").or_insert_with(|| Table::new().into());
        time.as_table_mut().expect("a table").insert(key.into(), Value::Float(value));
    }
}

/// Places at the end of a run: of the fluid's mass and of bodies.
fn places(run: &Run) -> Vec<(String, DVec3)> {
    let end = run.end();
    let fluid = (end.report.mass > 0.0)
        .then(|| ("centre of mass".to_owned(), DVec3::from(end.report.center_of_mass)));
    let bodies = end.bodies.iter().map(|body| (body.name.clone(), DVec3::from(body.position)));
    fluid.into_iter().chain(bodies).collect()
}

pub(super) fn check(trial: &Trial<'_>) -> Vec<Finding> {
    let longest = trial.scene(|_| {}).time.max_step;
    let runs: Vec<_> =
        [1.0, 2.0, 4.0].map(|part| trial.run(time("max_step", longest / part))).into();
    let [coarse, half, quarter] = [0, 1, 2].map(|k| places(&runs[k]));
    let spacing = runs[0].scene.spacing();
    let mut findings = Vec::new();
    for ((name, a), ((_, b), (_, c))) in coarse.iter().zip(half.iter().zip(&quarter)) {
        let (first, second) = (a.distance(*b), b.distance(*c));
        let bound = (FALL * first).max(SPACINGS * spacing);
        findings.push(Finding::new(format!("{name} in m, halved steps"), second, bound));
    }
    for fps in [25.0, 200.0] {
        let other = places(&trial.run(time("fps", fps)));
        for ((name, a), (_, b)) in coarse.iter().zip(&other) {
            let what = format!("{name} in m, {fps} frames a second");
            findings.push(Finding::new(what, a.distance(*b), SPACINGS * spacing));
        }
    }
    findings
}

/// Differences of integrals between radii of four, two and one times the scene's: the second ones are smaller, or within what families
/// may differ by.
pub(super) fn resolution(trial: &Trial<'_>) -> Vec<Finding> {
    let [coarse, half, fine] = [4.0, 2.0, 1.0].map(|times| {
        trial.run(|keys| {
            let radius = keys["particle_radius"].as_float().expect("a radius");
            keys.insert("particle_radius".into(), (times * radius).into());
        })
    });
    let alike = |a: &Run, b: &Run| {
        compare("halved radius, ", a, b, Relation { place: &|x| x, impulse: 1.0, bound: FAMILIES })
    };
    let (first, second) = (alike(&coarse, &half), alike(&half, &fine));
    let bound = |(first, second): (Finding, Finding)| Finding {
        bound: first.error.max(FAMILIES),
        ..second
    };
    first.into_iter().zip(second).map(bound).collect()
}

pub(super) fn flight(trial: &Trial<'_>) -> Vec<Finding> {
    let longest = trial.scene(|_| {}).time.max_step;
    let mut findings = Vec::new();
    let mut add = |what: &str, run: &Run| findings.extend(parabolas(trial, what, run));
    add("as given", &trial.run(|_| {}));
    add("steps of a quarter", &trial.run(time("max_step", 0.25 * longest)));
    add("200 frames a second", &trial.run(time("fps", 200.0)));
    findings
}

/// Distances from the parabolas at the end of flights.
fn parabolas(trial: &Trial<'_>, how: &str, run: &Run) -> Vec<Finding> {
    let Some(flight) = &trial.case.head.flies else { return Vec::new() };
    let gravity = DVec3::from(run.scene.gravity);
    let in_flight = |frame: &&Frame| frame.report.time <= flight.until + 1e-9;
    let Some(end) = run.frames.iter().rfind(in_flight) else { return Vec::new() };
    let (start, t) = (&run.frames[0], end.report.time);
    let mut findings = Vec::new();
    let mut add = |what: String, from: DVec3, to: DVec3, v: DVec3| {
        let path = v * t + 0.5 * gravity * t * t;
        let way = v.length() * t + 0.5 * gravity.length() * t * t;
        // f32 rounds places to 2⁻²⁴ of the box, once in a step.
        let rounding = run.length().max(way) * 6e-8 * f64::from(end.report.steps).sqrt();
        let bound = OF_PATH * way + rounding;
        findings.push(Finding::new(
            format!("{what} in m, {how}"),
            (to - from - path).length(),
            bound,
        ));
    };
    for (k, number) in flight.fluids.iter().enumerate() {
        let v = DVec3::from(run.scene.fluids[*number].velocity);
        add(format!("fluid {number}"), start.flying[k], end.flying[k], v);
    }
    for name in &flight.bodies {
        let of = |frame: &Frame| {
            let body = frame.bodies.iter().find(|body| body.name == *name);
            DVec3::from(body.unwrap_or_else(|| panic!("no body is named {name}")).position)
        };
        let mut all = run.scene.bodies.iter();
        let own = all.rfind(|body| body.name.as_ref() == Some(name));
        let v = own.map_or([0.0; 3], |body| body.velocity);
        add(name.clone(), of(start), of(end), v.into());
    }
    findings
}
