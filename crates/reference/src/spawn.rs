//! Particles that a program adds (`wgsl/spawn/`).

use glam::DVec3;
use meniscus_model::params::KIND_FLUID;

use crate::World;
use crate::body::posed;
use crate::solid::beyond;
use crate::space::{displacement, with_w, xyz};
use crate::world::is_kind;

/// Points that a program has given.
fn wanted(world: &World) -> usize {
    world.spawn_state[0].min(world.stage.element_count) as usize
}

/// Whether a particle fits at a point: fluid is at least nine tenths of a spacing away, and solids about half a one.
fn fits(world: &World, x: DVec3) -> bool {
    let radius = f64::from(world.params.world.particle_radius);
    let is_near = |i: usize| {
        let away = displacement(&world.params, x, xyz(world.position[i]));
        is_kind(world.identity[i], KIND_FLUID) && away.length() < 1.8 * radius
    };
    let colliders = 0..world.params.counts.colliders as usize;
    let is_apart = |c| beyond(world, &posed(world, c), x) < -0.998 * radius;
    !world.particles().any(is_near) && { colliders }.all(is_apart)
}

/// Finds the points at which particles fit.
pub(crate) fn free(world: &mut World) {
    let wanted = wanted(world);
    for k in 0..world.stage.element_count as usize {
        let is_free = k < wanted && fits(world, xyz(world.spawn_position[k]));
        world.spawn_free[k] = u32::from(is_free);
    }
}

/// Clears what a method keeps of each particle in slots without one.
pub(crate) fn clear(world: &mut World) {
    let width = world.kept.len() / world.position.len();
    let live = world.control.particle_count as usize;
    world.kept[width * live..].fill(0.0);
}

/// Places the particles, each with the next number.
pub(crate) fn points(world: &mut World) {
    let (mut slot, mut id) = (world.control.particle_count as usize, world.control.next_id);
    for k in 0..wanted(world) {
        if world.spawn_free[k] == 0 || slot >= world.params.counts.capacity as usize {
            continue;
        }
        let identity = [id, world.spawn_state[1]];
        let density = f64::from(world.material(identity).rest_density);
        world.position[slot] = with_w(xyz(world.spawn_position[k]), density);
        world.velocity[slot] = with_w(xyz(world.spawn_velocity[k]), 0.0);
        world.identity[slot] = identity;
        (slot, id) = (slot + 1, id + 1);
    }
}

/// Counts them, and lets the next step be short enough for the fastest.
pub(crate) fn count(world: &mut World) {
    let room = world.params.counts.capacity - world.control.particle_count;
    let free: u32 = world.spawn_free.iter().sum();
    let added = free.min(room);
    if added == 0 {
        return;
    }
    let control = &mut world.control;
    control.particle_count += added;
    control.next_id += added;
    let speed = f32::from_bits(world.spawn_state[2]);
    control.max_speed_bits = control.max_speed().max(speed).to_bits();
    let signal = f32::from_bits(control.max_signal_bits);
    if signal > 0.0 {
        control.max_signal_bits = (signal + speed).to_bits();
    }
}
