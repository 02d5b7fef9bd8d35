//! Joints and mooring lines.

use glam::DVec3;
use meniscus_geometry::{Check, Vec3};

use crate::{Body, JointKind, Scene};

pub(super) fn joints(check: &mut Check, scene: &Scene) {
    for (i, joint) in scene.joints.iter().enumerate() {
        let key = |name: &str| format!("joint[{i}].{name}");
        let sides = bodies(check, scene, &key("bodies"), &joint.bodies);
        once(check, scene.joints[..i].iter().map(|joint| &joint.name), &joint.name, &key("name"));
        let Some(sides) = sides else { continue };
        match &joint.kind {
            JointKind::Hinge { limits: between, .. } => {
                limits(check, &key("kind.hinge.limits"), *between, 0.0);
                if let Some([low, high]) = *between
                    && (low < -180.0 || high > 180.0)
                {
                    check.report(key("kind.hinge.limits"), "are angles from -180 to 180 degrees");
                }
            }
            JointKind::Slider { limits: between, .. } => {
                limits(check, &key("kind.slider.limits"), *between, 0.0);
            }
            JointKind::Ball { .. } | JointKind::Fixed {} => {}
            JointKind::Spring { ends, limits: between, .. } => {
                let way = span(check, &key("kind.spring.ends"), ends);
                limits(check, &key("kind.spring.limits"), *between, way);
            }
            JointKind::Rope { ends, length } => {
                let way = span(check, &key("kind.rope.ends"), ends);
                if let Some(length) = *length
                    && length > 0.0
                    && length < way * (1.0 - 1e-6)
                {
                    let message = format!("is shorter than the {way:.4} m between its ends");
                    check.report(key("kind.rope.length"), message);
                }
            }
        }
        if !sides.iter().any(|body| body.is_free()) {
            check.report(key("bodies"), "needs one that moves freely: none of them does");
        }
    }
}

/// The bodies of these names, one or two, if all exist.
fn bodies<'a>(
    check: &mut Check,
    scene: &'a Scene,
    key: &str,
    names: &[String],
) -> Option<Vec<&'a Body>> {
    if !(1..=2).contains(&names.len()) {
        let count = names.len();
        check.report(
            key,
            format!("has {count} names: name two bodies, or one to hold it to the world"),
        );
        return None;
    }
    if names.len() == 2 && names[0] == names[1] {
        check.report(key, format!("names {:?} twice", names[0]));
        return None;
    }
    let found: Vec<_> = names.iter().filter_map(|name| body(check, scene, key, name)).collect();
    (found.len() == names.len()).then_some(found)
}

fn body<'a>(check: &mut Check, scene: &'a Scene, key: &str, name: &str) -> Option<&'a Body> {
    if let Some((_, body)) = scene.body(name) {
        return Some(body);
    }
    let known: Vec<_> =
        scene.bodies.iter().enumerate().map(|(k, body)| body.name_or_number(k)).collect();
    let message = match known.is_empty() {
        true => format!("{name:?} is no body: the scene has none"),
        false => format!("{name:?} is no body of the scene, which has {}", known.join(", ")),
    };
    check.report(key, message);
    None
}

fn once<'a>(
    check: &mut Check,
    mut before: impl Iterator<Item = &'a Option<String>>,
    name: &Option<String>,
    key: &str,
) {
    if let Some(own) = name
        && before.any(|other| other == name)
    {
        check.report(key, format!("{own:?} is the name of another one already"));
    }
}

/// Checks limits, and that what they limit is within them at the start.
fn limits(check: &mut Check, key: &str, limits: Option<[f64; 2]>, start: f64) {
    let Some([low, high]) = limits else { return };
    if low > high {
        check.report(key, format!("the least, {low}, is more than the largest, {high}"));
    } else if start < low - 1e-9 || start > high + 1e-9 {
        let message =
            format!("must hold at the start, where it is {start:.4}, not from {low} to {high}");
        check.report(key, message);
    }
}

/// Distance in m between two ends, which must not be in one place.
fn span(check: &mut Check, key: &str, ends: &[Vec3; 2]) -> f64 {
    let sound =
        ends.iter().enumerate().filter(|(k, end)| check.planar(&format!("{key}[{k}]"), **end));
    if sound.count() < 2 {
        return 0.0;
    }
    let way = DVec3::from(ends[0]).distance(DVec3::from(ends[1]));
    if way == 0.0 {
        check.report(key, "are in one place: a ball joint holds points together");
    }
    way
}

pub(super) fn moorings(check: &mut Check, scene: &Scene) {
    for (i, line) in scene.moorings.iter().enumerate() {
        let key = |name: &str| format!("mooring[{i}].{name}");
        once(check, scene.moorings[..i].iter().map(|line| &line.name), &line.name, &key("name"));
        if let Some(body) = body(check, scene, &key("body"), &line.body)
            && !body.is_free()
        {
            check.report(key("body"), format!("{:?} does not move freely", line.body));
        }
        let up = -DVec3::from(scene.gravity).normalize_or_zero();
        if up == DVec3::ZERO {
            check.report(format!("mooring[{i}]"), "needs gravity, by which the line hangs");
        } else if line.length > 0.0 {
            let way = DVec3::from(line.fairlead) - DVec3::from(line.anchor);
            if way.dot(up) <= 0.0 {
                check.report(
                    key("anchor"),
                    "must be below the fairlead: the line ends on the floor there",
                );
            }
            if line.length <= way.length() {
                let message = format!(
                    "must be more than the {:.4} m from the anchor to the fairlead",
                    way.length()
                );
                check.report(key("length"), message);
            }
        }
    }
}
