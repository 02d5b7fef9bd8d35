//! Numbers, domain, time, camera and materials.

use crate::{Check, MAX_MATERIALS, Scene};

/// Support radii in m for which kernel constants (h⁻⁹, in 2-D h⁻⁸) fit 32-bit floats.
const SUPPORT_RADII: [f64; 2] = [1e-4, 1e4];
const SMALLEST_IN_2D: f64 = 3e-5;

pub(super) fn numbers(check: &mut Check, scene: &Scene) {
    if !matches!(scene.dimensions, 2 | 3) {
        check.report("dimensions", format!("must be 2 or 3, not {}", scene.dimensions));
    }
    check.planar("gravity", scene.gravity);
    if !check.positive("particle_radius", scene.particle_radius) {
        return;
    }
    let (h, spacing) = (check.support_radius, scene.spacing());
    let smallest = if scene.dimensions == 2 { SMALLEST_IN_2D } else { SUPPORT_RADII[0] };
    let key = if scene.support_radius.is_some() { "support_radius" } else { "particle_radius" };
    if !check.finite(key, h) {
        return;
    }
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
    if !check.corners("domain", domain.min, domain.max) {
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
    if check.positive("time.fps", time.fps) && time.fps > 1e5 {
        check.report("time.fps", format!("must be at most 100000, not {}", time.fps));
    }
    check.not_negative("time.until", time.until);
    if check.positive("time.min_step", time.min_step) {
        for (key, step) in [("time.step", time.step), ("time.max_step", Some(time.max_step))] {
            let Some(step) = step else { continue };
            if check.positive(key, step) && step < time.min_step {
                let message = format!("{step} s is below time.min_step = {} s", time.min_step);
                check.report(key, message);
            }
        }
    }
    check.positive("time.cfl", time.cfl);
    check.not_negative("time.settle", time.settle);
}

pub(super) fn camera(check: &mut Check, scene: &Scene) {
    let Some(camera) = &scene.camera else { return };
    for (key, place) in [("camera.eye", camera.eye), ("camera.target", camera.target)] {
        if !place.iter().all(|coordinate| coordinate.is_finite()) {
            check.report(key, "must be finite");
        }
    }
    if camera.eye == camera.target {
        check.report("camera.target", "equals camera.eye: the camera has no direction");
    }
    if !(1.0..=170.0).contains(&camera.fov) {
        check.report("camera.fov", format!("must be 1 to 170 degrees, not {}", camera.fov));
    }
    for (i, key) in camera.keys.iter().enumerate() {
        let path = |key: &str| format!("camera.key[{i}].{key}");
        for (name, place) in [("eye", key.eye), ("target", key.target)] {
            if !place.iter().all(|coordinate| coordinate.is_finite()) {
                check.report(path(name), "must be finite");
            }
        }
        if key.eye == key.target {
            check.report(path("target"), "equals the eye of this key: the camera has no direction");
        }
        if let Some(fov) = key.fov.filter(|fov| !(1.0..=170.0).contains(fov)) {
            check.report(path("fov"), format!("must be 1 to 170 degrees, not {fov}"));
        }
        let before = i.checked_sub(1).map(|before| camera.keys[before].time);
        if !key.time.is_finite() || before.is_some_and(|before| key.time <= before) {
            let message = match before {
                Some(before) => format!("must be later than that of the key before, {before} s"),
                None => "must be finite".to_owned(),
            };
            check.report(path("time"), message);
        }
    }
}

/// Lowest height of the sun above the floor: sine of 6 degrees.
const LOWEST_SUN: f64 = 0.1;

pub(super) fn light(check: &mut Check, scene: &Scene) {
    let Some(light) = &scene.light else { return };
    for (key, factor) in [("light.sunlight", light.sunlight), ("light.sky", light.sky)] {
        check.within(key, factor, 0.0, 100.0);
    }
    check.within("light.sky_rotation", light.sky_rotation, -360.0, 360.0);
    if let Some(sun) = light.sun
        && check.direction("light.sun", sun)
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
        check.positive(&format!("material[{i}].rest_density"), material.rest_density);
        if let Some(viscosity) = material.viscosity {
            check.not_negative(&format!("material[{i}].viscosity"), viscosity);
        }
        check.not_negative(&format!("material[{i}].surface_tension"), material.surface_tension);
        for part in material.color.iter().flatten() {
            check.within(&format!("material[{i}].color"), *part, 0.0, 1.0);
        }
        if let Some(index) = material.refractive_index {
            check.within(&format!("material[{i}].refractive_index"), index, 1.0, 3.0);
        }
        if let Some(opacity) = material.opacity {
            let key = format!("material[{i}].opacity");
            check.within(&key, opacity, 0.01, 1000.0);
            if material.color.is_none() {
                check.report(key, "needs color: without it the liquid is drawn as water");
            }
        }
    }
}
