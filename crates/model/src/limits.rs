//! Expected speeds, for time steps, scales and stiffness.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3, Vec3};
use meniscus_scene::{Boundary, Emitter, Flow, Force, Motion, Scene, Shape, Vortex};

use crate::{
    extent::Bounds,
    motion::{self, Pose},
};

/// Number of times at which the speeds of moving walls are sampled, for the CFL condition.
const SPEED_SAMPLES: u32 = 1000;

/// Speed in m/s for scales and defaults: the expected speed or, if nothing moves the fluid, a
/// spacing in 0.1 s.
pub(crate) fn expected_speed(scene: &Scene, bounds: &Bounds) -> f64 {
    let largest = largest_speed(scene, bounds);
    if largest > 0.0 { largest } else { 10.0 * scene.spacing() }
}

/// Expected largest speed in m/s, max(√(2 g H), v0), where H is the height of the highest fluid
/// above the lowest point of fluid and containers. Surface tension causes a speed too: the
/// capillary pressure σ/r of a single particle accelerates fluid to √(2σ/(ρ r)), with r the
/// particle radius.
pub(crate) fn largest_speed(scene: &Scene, bounds: &Bounds) -> f64 {
    let g = DVec3::from(scene.gravity);
    let mut size = bounds.fluid_max - bounds.fluid_min;
    if scene.dimensions == 2 {
        // A shape may reach beyond the plane.
        size.z = 0.0;
    }
    let up = -g.normalize_or_zero();
    let top = |low: DVec3, high: DVec3| (up * low).max(up * high).element_sum();
    let bodies = scene.bodies.iter().map(|body| body.shape.bounds());
    let highest = bodies
        .map(|(middle, half)| top(middle - half, middle + half))
        .fold(top(bounds.fluid_min, bounds.fluid_max), f64::max);
    let lowest = (up * bounds.reach_min).min(up * bounds.reach_max).element_sum();
    let fall = match !scene.has_smoke() {
        true => (2.0 * g.length() * (highest - lowest).max(0.0)).sqrt(),
        false => air_speed(scene, bounds),
    };
    let initial = scene.fluids.iter().map(|fluid| {
        let reach = fluid.shape.bounds().1.length();
        let own = fluid.shape.velocities().iter().map(|v| DVec3::from(*v).length());
        let spin = reach * DVec3::from(fluid.angular_velocity).length();
        DVec3::from(fluid.velocity).length() + spin + own.fold(0.0, f64::max)
    });
    let outflow = |emitter: &Emitter| emitter.outflow(scene.spacing(), scene.dimensions);
    let emitted = scene.emitters.iter().map(|emitter| outflow(emitter).length());
    let openings = scene.openings().unwrap_or_default();
    let inflow = openings.iter().filter_map(|opening| match &opening.flow {
        Flow::Velocity(rows) => Some(rows.iter().map(|row| row[1].abs()).fold(0.0, f64::max)),
        _ => None,
    });
    let walls = solid_speeds(scene);
    let fields = scene.forces.iter().map(|force| match force {
        Force::Uniform { acceleration } => {
            (2.0 * DVec3::from(*acceleration).length() * size.max_element().max(0.0)).sqrt()
        }
        Force::Attract { strength, radius, .. } => (2.0 * strength.abs() * radius).sqrt(),
        Force::Rotation { strength, radius, .. } => strength.abs().sqrt() * radius,
        Force::Sponge { .. } => 0.0,
        Force::Wind { velocity, .. } => DVec3::from(*velocity).length(),
    });
    let tension = scene.materials.iter().map(|material| {
        (2.0 * material.surface_tension / (material.rest_density * scene.particle_radius)).sqrt()
    });
    let speeds = initial.chain(emitted).chain(inflow).chain(walls).chain(fields).chain(tension);
    speeds.fold(fall, f64::max)
}

/// Largest speed in m/s to expect of air: that of sources and of vortices at their cores, and what hot smoke gains on
/// its way through the domain.
fn air_speed(scene: &Scene, bounds: &Bounds) -> f64 {
    let g = DVec3::from(scene.gravity);
    let height = (bounds.max - bounds.min).abs().dot(g.normalize_or_zero().abs());
    let hot = scene.sources.iter().map(|source| source.temperature.abs() / 293.0);
    let rise = (2.0 * g.length() * hot.fold(0.0, f64::max) * height).sqrt();
    let blown = scene
        .sources
        .iter()
        .map(|source| DVec3::from(source.velocity.unwrap_or_default()).length());
    // The largest speed of a vortex with a Gaussian core is 0.638 Γ/(2π δ).
    let turning = scene.vortices.iter().map(|vortex| match vortex {
        Vortex::Ring { core, circulation, .. } | Vortex::Column { core, circulation, .. } => {
            0.638 * circulation.abs() / (TAU * core)
        }
    });
    let winds = scene.forces.iter().map(|force| match force {
        Force::Wind { velocity, .. } => DVec3::from(*velocity).length(),
        _ => 0.0,
    });
    let flows = scene.initial.iter().filter_map(|initial| initial.fields.get());
    let flows = flows.flat_map(|fields| &fields.velocity).map(|v| Vec3::from(*v).length().into());
    blown.chain(turning).chain(winds).chain(flows).fold(rise, f64::max)
}

/// All motions of a boundary.
pub(crate) fn motions(boundary: &Boundary) -> Vec<Motion> {
    let velocity = boundary.velocity;
    let still = velocity == [0.0; 3];
    let steady = (!still).then_some(Motion::Translate { velocity });
    steady.into_iter().chain(boundary.motion.iter().cloned()).collect()
}

/// Largest speed in m/s of each solid: of free bodies at the start, of others during the scene's
/// time, at the corners of their bounding boxes.
pub(crate) fn solid_speeds(scene: &Scene) -> impl Iterator<Item = f64> + '_ {
    let driven = move |motions: &[Motion], shape: &Shape| -> f64 {
        if motions.is_empty() {
            return 0.0;
        }
        let start = Pose { position: shape.middle(), rotation: DQuat::IDENTITY };
        let samples = (0..=SPEED_SAMPLES).map(|k| {
            let time = scene.time.until * f64::from(k) / f64::from(SPEED_SAMPLES);
            let now = motion::movement_at(motions, start, time);
            now.velocity.length() + now.angular_velocity.length() * shape.farthest()
        });
        samples.fold(0.0, f64::max)
    };
    let boundaries = scene.boundaries.iter().map(move |b| {
        let deforming = b.frames().map_or(0.0, |frames| frames.fastest());
        driven(&motions(b), &b.shape) + deforming
    });
    let bodies = scene.bodies.iter().map(move |body| {
        let own = DVec3::from(body.velocity).length()
            + DVec3::from(body.angular_velocity).length() * body.shape.farthest();
        if body.is_free() { own } else { driven(&body.motion, &body.shape) }
    });
    boundaries.chain(bodies)
}
