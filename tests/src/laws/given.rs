//! What a scene gives is so.

use glam::DVec3;

use super::{Finding, Trial, trial::Run};

/// Rounding of f32, relative.
const ROUNDING: f64 = 1e-6;

/// What a probe may differ by from a value that is everywhere the same, relative.
const UNIFORM: f64 = 1e-4;

pub(super) fn check(trial: &Trial<'_>) -> Vec<Finding> {
    let run = trial.run(|_| {});
    let mut findings = velocities(&run);
    findings.extend(alone(trial, &run));
    findings.extend(rests(trial, &run));
    findings.extend(uniform(&run));
    findings
}

/// Velocities of fluids and bodies at the start.
fn velocities(run: &Run) -> Vec<Finding> {
    let scene = &run.scene;
    let mut findings = Vec::new();
    let mut ids = 0..0;
    for (number, fluid) in scene.fluids.iter().enumerate() {
        let count = fluid.particles(scene.spacing(), scene.dimensions, scene.seed).len() as u32;
        ids = ids.end..ids.end + count;
        if fluid.angular_velocity != [0.0; 3] {
            continue;
        }
        let own = run.first.fluid().filter(|particle| ids.contains(&particle.id));
        let given = DVec3::from(fluid.velocity);
        let off = |particle: meniscus::Particle| {
            (DVec3::from(particle.velocity.map(f64::from)) - given).length()
        };
        let error = own.map(off).fold(0.0, f64::max);
        let bound = ROUNDING * given.length().max(1e-3);
        findings.push(Finding::new(
            format!("velocity of fluid {number} at the start"),
            error,
            bound,
        ));
    }
    for (body, now) in scene.bodies.iter().zip(&run.frames[0].bodies) {
        if !body.is_free() {
            continue;
        }
        for (what, given, got) in [
            ("velocity", body.velocity, now.velocity),
            ("angular velocity", body.angular_velocity, now.angular_velocity),
        ] {
            let error = DVec3::from(given).distance(got.into());
            let bound = ROUNDING * DVec3::from(given).length().max(1e-3);
            findings.push(Finding::new(
                format!("{what} of {} at the start", now.name),
                error,
                bound,
            ));
        }
    }
    findings
}

/// What rests on something stays, to a tenth of a particle spacing. Fluid, of which a scene names the material, is as fast as a fall
/// by half a spacing at most: where its surface ends at a wall, its particles may lie so much too high.
fn rests(trial: &Trial<'_>, run: &Run) -> Vec<Finding> {
    let bodies = run.frames[0].bodies.iter().zip(&run.end().bodies);
    let own = bodies.filter(|(body, _)| trial.case.head.rests.contains(&body.name));
    let of = |(first, last): (&meniscus::BodyReport, &meniscus::BodyReport)| {
        let way = DVec3::from(first.position).distance(last.position.into());
        Finding::new(format!("way of {} in m", first.name), way, 0.1 * run.scene.spacing())
    };
    let mut findings: Vec<_> = own.map(of).collect();
    let scene = &run.scene;
    if scene.materials.iter().any(|material| trial.case.head.rests.contains(&material.name)) {
        let fastest = run.frames.iter().map(|frame| frame.report.max_speed).fold(0.0, f64::max);
        let bound = (DVec3::from(scene.gravity).length() * scene.spacing()).sqrt();
        findings.push(Finding::new("speed of what rests in m/s", fastest, bound));
    }
    findings
}

/// What touches nothing and has no weight keeps its velocity.
fn alone(trial: &Trial<'_>, run: &Run) -> Vec<Finding> {
    let Some(flight) = &trial.case.head.flies else { return Vec::new() };
    let mut findings = Vec::new();
    if run.scene.gravity != [0.0; 3] {
        return findings;
    }
    let flying = run.frames.iter().filter(|frame| frame.report.time <= flight.until);
    for frame in flying {
        for (body, now) in run.scene.bodies.iter().zip(&frame.bodies) {
            if flight.bodies.contains(&now.name) {
                let given = DVec3::from(body.velocity);
                let error = given.distance(now.velocity.into());
                let bound = ROUNDING * given.length().max(1e-3);
                let what = format!("velocity of {} alone at {:.3} s", now.name, frame.report.time);
                findings.push(Finding::new(what, error, bound));
            }
        }
    }
    findings
}

/// Air that a source fills everywhere is everywhere what the source gives.
fn uniform(run: &Run) -> Vec<Finding> {
    let [source] = run.scene.sources.as_slice() else { return Vec::new() };
    let Some(domain) = &run.scene.domain else { return Vec::new() };
    let corners = [domain.min, domain.max].map(DVec3::from);
    let inside = |corner: DVec3| source.shape.depth(corner, run.scene.dimensions) > 0.0;
    if !corners.into_iter().all(inside) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (name, value) in &run.end().probes {
        let due = match name.rsplit('.').next() {
            Some("temperature") => source.temperature,
            Some("density") => source.density,
            _ => continue,
        };
        findings.push(Finding::new(format!("{name} of {due}"), (value - due).abs(), UNIFORM * due));
    }
    // Its weight is the same everywhere: in a closed box nothing moves. A tenth of a percent of free fall is left to iterations.
    let fall = DVec3::from(run.scene.gravity).length() * run.end().report.time;
    if fall > 0.0 {
        findings.push(Finding::new("speed in m/s", run.end().report.max_speed, 1e-3 * fall));
    }
    findings
}

/// Two-dimensional scenes in their plane.
pub(super) fn plane(trial: &Trial<'_>) -> Vec<Finding> {
    let run = trial.run(|_| {});
    let off = run.frames.iter().map(|frame| frame.off_plane).fold(0.0, f64::max);
    vec![Finding::new("largest |z| in m, or speed along z in m/s", off, 0.0)]
}
