//! What is kept, and what walls and gravity give.

use glam::DVec3;
use meniscus_model::scene::{Shape, Side};

use super::{
    Finding, Trial,
    trial::{Frame, Run, mass},
};

/// Bound on the balance of momentum, relative to the weight's impulse.
const MOMENTUM: f64 = 0.01;

/// The same where solids move, relative to the impulse of the largest of them.
const MOVING: f64 = 0.03;

/// Bound on heat, relative.
const HEAT: f64 = 0.02;

/// Heat that warms a cubic metre of air by 1 K in J: 1.204 kg/m³ times 1,005 J/(kg K).
const HEAT_OF_AIR: f64 = 1.204 * 1005.0;

/// Bound on the fluid's volume through its level, relative to the depth.
const LEVEL: f64 = 0.01;

pub(super) fn check(trial: &Trial<'_>) -> Vec<Finding> {
    let run = trial.run(|_| {});
    let mut findings = Vec::new();
    if run.frames[0].report.mass > 0.0 {
        let (first, last) = (run.frames[0].report.mass, run.end().report.mass);
        if run.scene.emitters.is_empty() && run.end().report.left == 0 {
            // Masses are sums of as many equal numbers in f32.
            findings.push(Finding::new("mass, relative", (last - first).abs() / first, 1e-6));
        }
        findings.extend(momentum(&run));
        findings.extend(level(&run));
    }
    findings.extend(heat(&run));
    findings
}

/// Momentum of the free bodies.
fn bodies_momentum(run: &Run, frame: &Frame) -> DVec3 {
    let bodies = run.scene.bodies.iter().zip(&frame.bodies).filter(|(body, _)| body.is_free());
    bodies.map(|(body, now)| mass(body, run.scene.dimensions) * DVec3::from(now.velocity)).sum()
}

/// The change of momentum is the weight's impulse less what solids that hold or move the fluid took.
fn momentum(run: &Run) -> Vec<Finding> {
    let scene = &run.scene;
    let named = scene.boundaries.iter().all(|wall| wall.name.is_some());
    // Bodies that rest on solids would need their contacts.
    if !named || scene.boundaries.is_empty() {
        return Vec::new();
    }
    let driven = |name: &str| {
        let walls = scene.boundaries.iter().any(|wall| wall.name.as_deref() == Some(name));
        let mut held = scene.bodies.iter().filter(|body| !body.is_free());
        walls || held.any(|body| body.name.as_deref() == Some(name))
    };
    let moving = scene.boundaries.iter().any(|wall| !wall.motion.is_empty())
        || scene.bodies.iter().any(|body| !body.motion.is_empty());
    let gravity = DVec3::from(scene.gravity);
    let total = |frame: &Frame| DVec3::from(frame.report.momentum) + bodies_momentum(run, frame);
    let (mut given, mut most, mut worst) = (DVec3::ZERO, 0.0_f64, DVec3::ZERO);
    let free = scene.bodies.iter().filter(|body| body.is_free());
    let bodies: f64 = free.map(|body| mass(body, scene.dimensions)).sum();
    let all = run.frames[0].report.mass + bodies;
    let begin = total(&run.frames[0]);
    for frame in &run.frames[1..] {
        let impulses = frame.impulses.iter().filter(|(name, _)| driven(name));
        for (_, impulse) in impulses {
            given -= *impulse;
        }
        most = most.max((given - DVec3::Y * given.y).length());
        let due = begin + all * gravity * frame.report.time + given;
        let off = total(frame) - due;
        if off.length() > worst.length() {
            worst = off;
        }
    }
    let weight = run.impulse();
    // What rests has the whole weight on its walls; what moves them, their impulses along the ground.
    let across = DVec3::new(worst.x, 0.0, worst.z).length();
    let mut findings =
        vec![Finding::new("momentum, of the weight's impulse", worst.length() / weight, MOMENTUM)];
    if moving {
        findings.push(Finding::new(
            "momentum across, of the paddle's impulse",
            across / most,
            MOVING,
        ));
    }
    findings
}

/// Water at rest in a box keeps its centre of mass.
fn level(run: &Run) -> Vec<Finding> {
    let rests = run.scene.fluids.iter().all(|fluid| fluid.velocity == [0.0; 3]);
    let [fluid] = run.scene.fluids.as_slice() else { return Vec::new() };
    let alone = run.scene.bodies.is_empty() && run.scene.boundaries.len() == 1;
    if !rests || !alone {
        return Vec::new();
    }
    let (Shape::Box(fluid), Shape::Box(wall)) = (&fluid.shape, &run.scene.boundaries[0].shape)
    else {
        return Vec::new();
    };
    if fluid.min[0] > wall.min[0] || fluid.max[0] < wall.max[0] {
        return Vec::new();
    }
    let height = |frame: &Frame| frame.report.center_of_mass[1] - fluid.min[1];
    let depth = fluid.max[1] - fluid.min[1];
    let off = run.frames.iter().map(|frame| (height(frame) - 0.5 * depth).abs() / (0.5 * depth));
    vec![Finding::new("level, of the depth", off.fold(0.0, f64::max), LEVEL)]
}

/// Heat that walls give to the air of a closed box.
fn heat(run: &Run) -> Vec<Finding> {
    let scene = &run.scene;
    let mut gain = 0.0;
    for wall in &scene.boundaries {
        let Some(flux) = wall.heat_flux else { continue };
        let length = match &wall.shape {
            Shape::Sphere(ball) => std::f64::consts::TAU * ball.radius,
            Shape::Box(cuboid) => {
                2.0 * (cuboid.max[0] - cuboid.min[0] + cuboid.max[1] - cuboid.min[1])
            }
            _ => return Vec::new(),
        };
        gain += flux * length;
    }
    let area = |shape: &Shape| shape.bulk(2).map_or(0.0, |bulk| bulk.volume);
    let parts = scene.boundaries.iter().map(|wall| match wall.side {
        Side::Inside => area(&wall.shape),
        Side::Outside => -area(&wall.shape),
    });
    let air: f64 = parts.sum();
    if gain == 0.0 || air <= 0.0 {
        return Vec::new();
    }
    let end = run.end();
    let due = gain * end.report.time / (HEAT_OF_AIR * air);
    vec![Finding::new(
        format!("mean temperature, {:.4} of {due:.4} K", end.temperature),
        (end.temperature / due - 1.0).abs(),
        HEAT,
    )]
}
