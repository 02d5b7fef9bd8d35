//! Numbers, domain, time, camera and materials.

use crate::{Check, MAX_MATERIALS, Scene};

/// Support radii in m for which kernel constants (h⁻⁹, in 2-D h⁻⁸) fit 32-bit floats.
const SUPPORT_RADII: [f64; 2] = [1e-4, 1e4];
const SMALLEST_IN_2D: f64 = 3e-5;

pub(super) fn numbers(check: &mut Check, scene: &Scene) {
    if !check.is_sound("particle_radius") || !check.is_sound("support_radius") {
        return;
    }
    let (h, spacing) = (check.support_radius, scene.spacing());
    let smallest = if scene.dimensions == 2 { SMALLEST_IN_2D } else { SUPPORT_RADII[0] };
    let key = if scene.support_radius.is_some() { "support_radius" } else { "particle_radius" };
    if h <= spacing || h > 4.0 * spacing * (1.0 + 1e-9) {
        let message = format!(
            "must be larger than the particle spacing 2 · particle_radius = {spacing} m and at \
             most 4 spacings, not {h} m"
        );
        check.report(key, message);
    } else if !(smallest..=SUPPORT_RADII[1]).contains(&h) {
        let message = format!(
            "gives a support radius of {h:e} m; kernels in 32-bit floats need {:e} to {:e} m",
            smallest, SUPPORT_RADII[1]
        );
        check.report(key, message);
    }
}

pub(super) fn domain(check: &mut Check, scene: &Scene) {
    let Some(domain) = &scene.domain else { return };
    if !check.is_sound("domain") || !check.corners("domain", domain.min, domain.max) {
        return;
    }
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        if !domain.periodic[axis] {
            continue;
        }
        let key = format!("domain.periodic[{axis}]");
        let cells = (domain.max[axis] - domain.min[axis]) / check.support_radius;
        if axis == 2 && scene.dimensions == 2 {
            check.report(key, "z cannot be periodic in 2-D");
        } else if cells < 3.0 * (1.0 - 1e-9) {
            let message = format!(
                "the domain is {cells:.2} support radii long in {name}: fewer than 3 cells, \
                 so that particles would meet their own images"
            );
            check.report(key, message);
        }
    }
}

pub(super) fn time(check: &mut Check, scene: &Scene) {
    let time = &scene.time;
    for (key, step) in [("time.step", time.step), ("time.max_step", Some(time.max_step))] {
        let Some(step) = step else { continue };
        if step < time.min_step && check.is_sound(key) && check.is_sound("time.min_step") {
            let message = format!("{step} s is below time.min_step = {} s", time.min_step);
            check.report(key, message);
        }
    }
}

pub(super) fn camera(check: &mut Check, scene: &Scene) {
    let Some(camera) = &scene.camera else { return };
    if camera.eye == camera.target {
        check.report("camera.target", "equals camera.eye: the camera has no direction");
    }
    for (i, key) in camera.keys.iter().enumerate() {
        let path = |key: &str| format!("camera.key[{i}].{key}");
        if key.eye == key.target {
            check.report(path("target"), "equals the eye of this key: the camera has no direction");
        }
        let before = i.checked_sub(1).map(|before| camera.keys[before].time);
        if let Some(before) = before.filter(|before| key.time <= *before) {
            let message = format!("must be later than that of the key before, {before} s");
            check.report(path("time"), message);
        }
    }
}

/// Lowest height of the sun above the floor: sine of 6 degrees.
const LOWEST_SUN: f64 = 0.1;

pub(super) fn light(check: &mut Check, scene: &Scene) {
    let Some(light) = &scene.light else { return };
    if let Some(sun) = light.sun
        && check.is_sound("light.sun")
    {
        let [sun, g] = [sun, scene.gravity].map(glam::DVec3::from);
        let up = if g == glam::DVec3::ZERO { glam::DVec3::Y } else { -g.normalize() };
        let height = sun.normalize().dot(up);
        if height < LOWEST_SUN {
            let degrees = height.asin().to_degrees();
            let message =
                format!("the sun must stand 6 degrees above the floor or more, not {degrees:.0}");
            check.report("light.sun", message);
        }
    }
}

pub(super) fn materials(check: &mut Check, scene: &Scene) {
    let materials = &scene.materials;
    if !scene.has_smoke() && materials.is_empty() {
        check.report("material", "no material: add [[material]] with a name");
    }
    check.at_most("material", materials.len(), MAX_MATERIALS);
    for (i, material) in materials.iter().enumerate() {
        if let Some(first) = materials[..i].iter().position(|m| m.name == material.name) {
            let message = format!("{:?} is the name of material[{first}] already", material.name);
            check.report(format!("material[{i}].name"), message);
        }
        if material.opacity.is_some() && material.color.is_none() {
            let message = "needs color: without it the liquid is drawn as water";
            check.report(format!("material[{i}].opacity"), message);
        }
    }
}
