//! Fluids, boundaries, forces, emitters, drains, sources and vortices.

use meniscus_geometry::{Check, Mouth, Packing, ProblemKind, Shape, Use};

use super::{MAX_PARTICLES, NO_FLUID, amount::thousands, bodies::motions};
use crate::{
    Boundary, Deformation, Emitter, Fluid, Force, MAX_FORCE_FIELDS, Motion, Response, Scene,
    Source, Vortex,
};

/// Checks that a shape can be used this way.
pub(super) fn shape(check: &mut Check, key: &str, shape: &Shape, purpose: Use) {
    let key = format!("{key}.{}", shape.kind().key);
    match shape.unfit(purpose) {
        Some(reason) => check.report(key, reason),
        None if check.is_sound(&key) => shape.check(&key, check),
        None => {}
    }
}

pub(super) fn fluids(check: &mut Check, scene: &Scene) {
    let empty = [scene.fluids.is_empty(), scene.emitters.is_empty(), scene.inlets.is_empty()];
    let has_fluid = empty.contains(&false) || scene.capacity.is_some();
    if !has_fluid && !scene.has_smoke() {
        check.report("fluid", NO_FLUID);
    }
    for (i, fluid) in scene.fluids.iter().enumerate() {
        material_name(check, scene, format!("fluid[{i}].material"), fluid.material.as_deref());
        self::fluid(check, &format!("fluid[{i}]"), fluid);
    }
}

pub(super) fn fluid(check: &mut Check, key: &str, fluid: &Fluid) {
    let Fluid { shape, packing, .. } = fluid;
    self::shape(check, &format!("{key}.shape"), shape, Use::Fluid);
    for (k, hole) in fluid.holes.iter().enumerate() {
        self::shape(check, &format!("{key}.holes[{k}]"), hole, Use::Fluid);
    }
    let packed = || shape.count_packed(*packing, check.spacing, check.dimensions);
    let is_dense = matches!(packing, Packing::Staggered | Packing::Hexagonal);
    if is_dense && packed().is_none() {
        check.report(format!("{key}.packing"), "only a box can have this packing");
    }
}

/// Most stretch of the triangles of a wall of particles: with more, fluid gets through between them.
const MOST_STRETCH: f64 = 1.6;

/// Checks frames of a boundary that changes its shape.
fn deformation(check: &mut Check, i: usize, boundary: &Boundary, scene: &Scene) {
    let is_frames = |motion: &Motion| matches!(motion, Motion::Frames { .. });
    let key = format!("boundary[{i}].motion");
    match boundary.motion.iter().filter(|motion| is_frames(motion)).count() {
        0 => return,
        1 => {}
        _ => check.report(key.clone(), "can have frames only once"),
    }
    if boundary.shape.mesh().is_none() || boundary.shape.kind().key != "mesh" {
        check.report(key, "only a boundary whose shape is a mesh can have frames");
        return;
    }
    let Some(Deformation { frames, .. }) = boundary.frames() else {
        check.report(key, "the files of its frames have not been read");
        return;
    };
    let response = format!("boundary[{i}].response");
    match boundary.response {
        Some(Response::Volume { friction, no_slip }) if friction > 0.0 || no_slip => {
            let message = "of a boundary with frames acts along its normal alone: leave out friction and no_slip, or make \
                           it one of particles";
            check.report(response, message);
        }
        Some(Response::Reflect { friction, .. }) if friction > 0.0 => {
            check.report(
                response,
                "of a boundary with frames acts along its normal alone: leave out friction",
            );
        }
        Some(Response::Particles { .. }) => {
            let (pose, factor) = frames.stretch(2.0 * scene.spacing());
            if factor > MOST_STRETCH {
                let message = format!(
                    "frame {} of its motion stretches the mesh by {factor:.2}, and particles of a wall are as far apart \
                     as in the first frame: at most {MOST_STRETCH}; use response.volume",
                    pose + 1
                );
                check.report(response, message);
            }
        }
        _ => {}
    }
}

pub(super) fn boundaries(check: &mut Check, scene: &Scene) {
    for (i, boundary) in scene.boundaries.iter().enumerate() {
        let Boundary { shape, motion, response, .. } = boundary;
        self::shape(check, &format!("boundary[{i}].shape"), shape, Use::Boundary);
        motions(check, &format!("boundary[{i}].motion"), motion);
        deformation(check, i, boundary, scene);
        if boundary.heat_flux.is_some() && boundary.temperature.is_some() {
            let key = format!("boundary[{i}].heat_flux");
            check.report(key, "must be left out: the wall has a temperature");
        }
        if let Some(name) = &boundary.name {
            let key = format!("boundary[{i}].name");
            let earlier = scene.boundaries[..i].iter().filter_map(|other| other.name.as_deref());
            let bodies = scene.bodies.iter().filter_map(|body| body.name.as_deref());
            if earlier.chain(bodies).any(|other| other == name) {
                check.report(key, format!("{name:?} is the name of another solid"));
            }
        }
        let (name, friction, no_slip) = match *response {
            Some(Response::Particles { friction, no_slip }) => ("particles", friction, no_slip),
            Some(Response::Volume { friction, no_slip }) => ("volume", friction, no_slip),
            _ => continue,
        };
        let key = format!("boundary[{i}].response.{name}.friction");
        if no_slip && friction != 0.0 && check.is_sound(&key) {
            check.report(key, "must be left out where no_slip = true, which sets it");
        }
    }
}

pub(super) fn forces(check: &mut Check, scene: &Scene) {
    check.at_most("force", scene.forces.len(), MAX_FORCE_FIELDS);
    for (i, force) in scene.forces.iter().enumerate() {
        self::force(check, &format!("force[{i}]"), force);
    }
}

pub(super) fn force(check: &mut Check, key: &str, force: &Force) {
    if let Force::Sponge { start, end, .. } = force
        && start == end
    {
        check.report(format!("{key}.sponge.end"), "must be another point than sponge.start");
    }
}

pub(super) fn emitters(check: &mut Check, scene: &Scene) {
    for (i, emitter) in scene.emitters.iter().enumerate() {
        let key = |name: &str| format!("emitter[{i}].{name}");
        let Emitter { material, mouth, start, end, .. } = emitter;
        material_name(check, scene, key("material"), material.as_deref());
        if let Mouth::Rectangle { height, .. } = *mouth
            && scene.dimensions != 2
        {
            check.positive(&key("mouth.rectangle.height"), height);
        }
        let sound =
            ["mouth", "velocity", "rate", "up"].iter().all(|name| check.is_sound(&key(name)));
        end_after(check, &key("end"), *start, *end);
        if sound && scene.particle_radius > 0.0 {
            layer(check, scene, i);
            // At most one layer per step.
            let interval = emitter.interval(scene.spacing(), scene.dimensions);
            if scene.time.step.is_some_and(|step| step > interval) {
                let message = format!(
                    "must be at most {interval} s, after which emitter[{i}] emits its next layer"
                );
                check.report("time.step", message);
            }
        }
    }
}

fn layer(check: &mut Check, scene: &Scene, i: usize) {
    let (emitter, spacing) = (&scene.emitters[i], scene.spacing());
    let dimensions = scene.dimensions;
    let layer = emitter.mouth.count(spacing, dimensions);
    if layer == 0.0 {
        let message = format!("is too small for a particle: they are {spacing} m apart");
        check.report(format!("emitter[{i}].mouth"), message);
    } else if layer > f64::from(MAX_PARTICLES) {
        let message = format!("holds {} particles in one layer", thousands(layer));
        check.report(format!("emitter[{i}].mouth"), message);
    } else {
        let Emitter { mouth, center, velocity, up, .. } = emitter;
        let layer = mouth.layer(*center, *velocity, *up, spacing, dimensions);
        let layer = layer.len();
        for (key, most) in
            [("max_particles", emitter.max_particles), ("max_live", emitter.max_live)]
        {
            if let Some(most) = most.filter(|most| (*most as usize) < layer) {
                let message = format!("must be at least one layer, {layer}, not {most}");
                check.report(format!("emitter[{i}].{key}"), message);
            }
        }
    }
}

pub(super) fn drains(check: &mut Check, scene: &Scene) {
    for (i, drain) in scene.drains.iter().enumerate() {
        shape(check, &format!("drain[{i}].shape"), &drain.shape, Use::Drain);
    }
}

pub(super) fn sources(check: &mut Check, scene: &Scene) {
    for (i, source) in scene.sources.iter().enumerate() {
        let key = |name: &str| format!("source[{i}].{name}");
        let Source { shape, motion, start, end, .. } = source;
        self::shape(check, &key("shape"), shape, Use::Drain);
        motions(check, &key("motion"), motion);
        let (mut translations, mut sways) = (0, 0);
        for (k, motion) in motion.iter().enumerate() {
            match motion {
                Motion::Translate { .. } => translations += 1,
                Motion::Sway { .. } => sways += 1,
                _ => check
                    .report(key(&format!("motion[{k}]")), "a source can only translate and sway"),
            }
        }
        if translations > 1 || sways > 1 {
            check.report(key("motion"), "a source has one translation and one sway at most");
        }
        end_after(check, &key("end"), *start, *end);
    }
}

/// Checks that what begins at a time in s ends later.
fn end_after(check: &mut Check, key: &str, start: f64, end: f64) {
    if end.is_nan() || end <= start {
        check.report(key, format!("must be later than start = {start} s, not {end} s"));
    }
}

pub(super) fn vortices(check: &mut Check, scene: &Scene) {
    for (i, vortex) in scene.vortices.iter().enumerate() {
        let Vortex::Ring { radius, core, .. } = *vortex else { continue };
        let key = |name: &str| format!("vortex[{i}].ring.{name}");
        if core >= radius && check.is_sound(&key("radius")) && check.is_sound(&key("core")) {
            let message = format!("must be less than the radius {radius} m, not {core} m");
            check.report(key("core"), message);
        }
        if scene.dimensions == 2 {
            check.report(key("axis"), "a ring needs 3 dimensions; in 2-D, take two columns");
        }
    }
}

pub(crate) fn material_name(check: &mut Check, scene: &Scene, key: String, name: Option<&str>) {
    let materials = &scene.materials;
    if let Some(name) = name
        && !materials.is_empty()
        && scene.material_index(Some(name)).is_none()
    {
        let known: Vec<&str> = materials.iter().map(|material| material.name.as_str()).collect();
        check.report_as(
            ProblemKind::Unknown,
            key,
            format!("no material is called {name:?}; there are: {}", known.join(", ")),
        );
    }
}
