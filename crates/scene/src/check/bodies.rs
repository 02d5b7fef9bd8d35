//! Rigid bodies and motions.

use meniscus_geometry::{Check, Use};

use super::{amount::open_edges, parts::shape};
use crate::{Keyframe, Motion, Scene};

/// Most boundaries and bodies that 16 bits can number.
const MOST_SOLIDS: usize = 1 << 16;
/// Least density of a body relative to the lightest fluid's: below it, every drop would throw it
/// around. (Air has 0.0012 of water's density.)
const LIGHTEST: f64 = 0.01;

pub(super) fn bodies(check: &mut Check, scene: &Scene) {
    let most = MOST_SOLIDS.saturating_sub(scene.boundaries.len());
    check.at_most("body", scene.bodies.len(), most);
    let densities = scene.materials.iter().map(|material| material.rest_density);
    let lightest = LIGHTEST * densities.reduce(f64::min).unwrap_or(0.0);
    for (i, body) in scene.bodies.iter().enumerate().take(most) {
        let key = |name: &str| format!("body[{i}].{name}");
        shape(check, &key("shape"), &body.shape, Use::Body);
        if check.is_sound(&key("shape")) && body.shape.bulk(scene.dimensions).is_none() {
            let message = match open_edges(&body.shape) {
                0 => "encloses no volume: a body needs one for its mass and centre of mass"
                    .to_owned(),
                open => {
                    format!(
                        "has {open} open edges: a body needs a closed mesh, whose volume has a mass"
                    )
                }
            };
            check.report(key(&format!("shape.{}", body.shape.kind().key)), message);
        }
        let sound = ["shape", "density", "mass"].iter().all(|name| check.is_sound(&key(name)));
        motions(check, &key("motion"), &body.motion);
        if body.motion.iter().any(|motion| matches!(motion, Motion::Frames { .. })) {
            let message =
                "a body is rigid: what changes its shape by frames must be a [[boundary]]";
            check.report(key("motion"), message);
        }
        if body.hinge.is_some() {
            if check.is_sound(&key("hinge")) && sound && body.hinge_axis(scene.dimensions).is_none()
            {
                let message = "must be along a principal axis of the body's inertia: an edge of a box, the axis of a \
                               cylinder, that of a wheel";
                check.report(key("hinge"), message);
            }
            if !body.is_free() || body.velocity != [0.0; 3] {
                let message = "holds the centre of a body that turns freely: leave out velocity, motion and fixed";
                check.report(key("hinge"), message);
            }
        }
        if !body.is_free() {
            if body.fixed && !body.motion.is_empty() {
                check.report(key("fixed"), "a body that is fixed has no motion");
            }
            if body.velocity != [0.0; 3] || body.angular_velocity != [0.0; 3] {
                let message = "a body that does not move freely has none: give it a motion";
                check.report(key("velocity"), message);
            }
        } else if body.density.is_some() == body.mass.is_some() {
            let message = "needs a density or a mass (one of them), or fixed = true, or a motion";
            check.report(format!("body[{i}]"), message);
        } else if sound {
            weight(check, scene, i, lightest);
        }
        if let Some(name) = &body.name
            && let Some(first) =
                scene.bodies[..i].iter().position(|other| other.name.as_ref() == Some(name))
        {
            check.report(key("name"), format!("{name:?} is the name of body[{first}] already"));
        }
    }
}

/// Checks that a free body is not too light.
fn weight(check: &mut Check, scene: &Scene, i: usize, lightest: f64) {
    let body = &scene.bodies[i];
    let volume = body.shape.bulk(scene.dimensions).map_or(0.0, |bulk| bulk.volume);
    let density = body.density.or(body.mass.map(|mass| mass / volume)).unwrap_or(0.0);
    if density < lightest {
        let name = if body.mass.is_some() { "mass" } else { "density" };
        let message = format!(
            "gives a density of {density} kg/m³; bodies need at least {lightest} kg/m³, a \
             hundredth of the lightest fluid's"
        );
        check.report(format!("body[{i}].{name}"), message);
    }
}

pub(super) fn motions(check: &mut Check, key: &str, motions: &[Motion]) {
    for (i, motion) in motions.iter().enumerate() {
        let key = |name: &str| format!("{key}[{i}].{name}");
        match motion {
            Motion::Keyframes { axis, frames, .. } => {
                if frames.iter().any(|frame| frame.angle != 0.0) {
                    check.spin(&key("keyframes.axis"), *axis);
                }
                if frames.is_empty() {
                    check.report(key("keyframes.frames"), "needs at least one keyframe");
                }
                keyframes(check, &key("keyframes.frames"), frames);
            }
            Motion::Table { axis, rows, .. } => {
                let rows = rows.get().map_or(&[][..], |rows| &rows[..]);
                if rows.iter().any(|row| row.angle != 0.0) {
                    check.spin(&key("table.axis"), *axis);
                }
                if rows.is_empty() {
                    check.report(key("table.file"), "has not been read");
                }
                for (k, row) in rows.iter().enumerate() {
                    let key = |name: &str| format!("{}[{k}].{name}", key("table.file"));
                    check.planar(&key("position"), row.position);
                    check.finite(&key("angle"), row.angle);
                    check.finite(&key("time"), row.time);
                }
                keyframes(check, &key("table.file"), rows);
            }
            _ => {}
        }
    }
}

/// Checks keyframes, or the rows of a table, for an order of time.
fn keyframes(check: &mut Check, key: &str, frames: &[Keyframe]) {
    let mut last = f64::NEG_INFINITY;
    for (k, frame) in frames.iter().enumerate() {
        let key = |name: &str| format!("{key}[{k}].{name}");
        if frame.time <= last {
            let message = format!("must be later than {last} s, the one before");
            check.report(key("time"), message);
        }
        last = frame.time;
    }
}
