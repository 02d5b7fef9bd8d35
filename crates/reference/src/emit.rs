//! Sources and drains (`wgsl/emit/`).

use glam::DVec3;
use meniscus_model::params::{Collider, EmitterParams, KIND_FLUID, KIND_REMOVED};

use crate::body::Posed;
use crate::space::{displacement, with_w, xyz};
use crate::world::is_kind;
use crate::{World, solid, time};

/// Time in s at which layer `layer` of an emitter leaves.
fn departure(emitter: &EmitterParams, layer: u32) -> f64 {
    f64::from(emitter.start) + f64::from(layer) * f64::from(emitter.interval)
}

/// Whether an emitter flows: until the layer that left last should have been replaced, and a hundredth of a layer for rounding.
pub(crate) fn flows(world: &World, e: usize) -> bool {
    let emitter = &world.emitters[e];
    let layers = f64::from(world.emitter_layers[e]) + 0.01;
    time::now(world) < f64::from(emitter.start) + layers * f64::from(emitter.interval)
}

/// Decides for each emitter whether a layer leaves in this step, and assigns slots and ids.
pub(crate) fn plan(world: &mut World) {
    let now = time::now(world);
    let before = world.control.particle_count;
    let mut slot = before;
    for e in 0..world.params.counts.emitters as usize {
        let emitter = &world.emitters[e];
        let layer = world.emitter_layers[e];
        let departure = departure(emitter, layer);
        let due = world.control.primed == 1
            && departure <= now
            && departure <= f64::from(emitter.end)
            && layer < emitter.max_layers
            && slot.saturating_add(emitter.point_count) <= emitter.max_live
            && slot + emitter.point_count <= world.params.counts.capacity;
        world.emission[e] = [u32::from(due), slot];
        if due {
            world.emitter_layers[e] += 1;
            slot += emitter.point_count;
        }
    }
    world.control.next_id += slot - before;
    world.control.particle_count = slot;
}

/// Places the particles of these layers, each advanced by the time since its layer left.
pub(crate) fn points(world: &mut World) {
    let now = time::now(world);
    let control = world.control;
    for k in 0..world.params.counts.emitter_points as usize {
        let point = world.emitter_points[k];
        let e = point[3] as usize;
        let emitter = world.emitters[e];
        let [due, first] = world.emission[e];
        if due != 1 {
            continue;
        }
        let slot = first + (k as u32 - emitter.first_point);
        let id = control.next_id - control.particle_count + slot;
        let identity = [id, emitter.identity];
        let age = now - departure(&emitter, world.emitter_layers[e] - 1);
        let velocity = emitter.velocity.as_dvec3();
        let rest_density = f64::from(world.material(identity).rest_density);

        let slot = slot as usize;
        world.position[slot] = with_w(xyz(point) + velocity * age, rest_density);
        world.velocity[slot] = with_w(velocity, 0.0);
        world.identity[slot] = identity;
    }
}

/// Clears all scalars that a method keeps of each new particle.
pub(crate) fn clear(world: &mut World) {
    let width = world.kept.len() / world.position.len();
    for k in 0..world.params.counts.emitter_points as usize {
        let e = world.emitter_points[k][3] as usize;
        let [due, first] = world.emission[e];
        if due == 1 {
            let slot = (first + k as u32 - world.emitters[e].first_point) as usize;
            world.kept[width * slot..width * (slot + 1)].fill(0.0);
        }
    }
}

/// Marks particles inside a drain as removed.
pub(crate) fn drain(world: &mut World) {
    for i in world.handled() {
        if !is_kind(world.identity[i], KIND_FLUID) {
            continue;
        }
        let x = xyz(world.position[i]);
        let drains = &world.regions[..world.params.counts.drains as usize];
        let removes = |drain: &Collider| {
            let depth = solid::depth(world, &Posed::still(drain), x);
            if drain.inside == 1 { depth < 0.0 } else { depth > 0.0 }
        };
        if drains.iter().any(removes) {
            world.identity[i][1] = world.identity[i][1] & !255 | KIND_REMOVED;
        }
    }
}

/// Velocity of the mouth that drives the particle in a sorted slot: of the one that emitted it, while it is near.
fn driven(world: &World, s: usize) -> Option<DVec3> {
    let identity = world.sorted_identity[s];
    let number = (identity[1] >> 16) as usize;
    if !is_kind(identity, KIND_FLUID) || number == 0 {
        return None;
    }
    let emitter = &world.emitters[number - 1];
    let x = xyz(world.sorted_position[s]);
    let away = displacement(&world.params, x, emitter.center.as_dvec3());
    let direction = emitter.direction.as_dvec3();
    let ahead = away.dot(direction);
    let [reach, aside] = [emitter.reach, emitter.radius].map(f64::from);
    let near = (-f64::from(world.params.world.particle_radius)..reach).contains(&ahead)
        && (away - ahead * direction).length() < aside;
    near.then(|| emitter.velocity.as_dvec3())
}

/// Accelerations that keep driven particles at their velocity.
pub(crate) fn drive(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        let Some(velocity) = driven(world, s).filter(|_| dt > 0.0) else { continue };
        let change = (velocity - xyz(world.sorted_velocity[s])) / dt;
        world.acceleration[s] = with_w(change - world.params.world.gravity.as_dvec3(), 0.0);
    }
}

/// Velocities of driven particles.
pub(crate) fn hold(world: &mut World) {
    for s in world.handled() {
        if let Some(velocity) = driven(world, s) {
            world.sorted_velocity[s] = with_w(velocity, world.sorted_velocity[s][3]);
        }
    }
}

/// Volumes of driven particles, by the square of the share of three quarters of the way on which they are driven, at least a hundredth; what has
/// less than half of the mouth's velocity is free.
pub(crate) fn grow(world: &mut World) {
    for s in world.handled() {
        let Some(velocity) = driven(world, s) else { continue };
        if velocity.dot(xyz(world.sorted_velocity[s])) < 0.5 * velocity.length_squared() {
            world.sorted_identity[s][1] &= 0xffff;
            continue;
        }
        let emitter = world.emitters[(world.sorted_identity[s][1] >> 16) as usize - 1];
        let x = xyz(world.sorted_position[s]);
        let away = displacement(&world.params, x, emitter.center.as_dvec3());
        let ahead = away.dot(emitter.direction.as_dvec3()).max(0.0);
        let way = ahead / (0.75 * f64::from(emitter.reach));
        world.sorted_position[s][3] *= way.powi(2).clamp(0.01, 1.0);
    }
}

/// Rest volumes of driven particles.
pub(crate) fn grown(world: &mut World) {
    for s in world.handled() {
        if driven(world, s).is_some() {
            let material = world.material(world.sorted_identity[s]);
            world.sorted_position[s][3] = f64::from(material.rest_volume);
        }
    }
}
