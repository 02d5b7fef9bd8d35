//! Particles that a program removes (`wgsl/remove/`).

use meniscus_model::params::KIND_FLUID;

use crate::World;
use crate::body::Posed;
use crate::solid;
use crate::space::xyz;
use crate::world::is_kind;

/// Finds the fluid in the last of the regions.
pub(crate) fn mark(world: &mut World) {
    let live = world.control.particle_count as usize;
    for i in 0..world.stage.element_count as usize {
        let is_inside = i < live && is_kind(world.identity[i], KIND_FLUID) && {
            let region = world.regions.last().expect("a region for it");
            solid::depth(world, &Posed::still(region), xyz(world.position[i])) > 0.0
        };
        world.removed[i] = u32::from(is_inside);
    }
}

/// Particles that are left, and the pairs of slots by which they fill the first ones: the new and the old slot of each that moves.
fn moves(world: &World) -> (u32, Vec<(usize, usize)>) {
    let live = world.control.particle_count as usize;
    let (gone, stays): (Vec<_>, Vec<_>) = (0..live).partition(|i| world.removed[*i] == 1);
    let left = stays.len();
    let holes = gone.into_iter().filter(|i| *i < left);
    (left as u32, holes.zip(stays.into_iter().filter(|i| *i >= left)).collect())
}

/// Slots that are to be filled.
pub(crate) fn slots(world: &mut World) {
    for (k, (hole, _)) in moves(world).1.into_iter().enumerate() {
        world.removed_slot[k] = hole as u32;
    }
}

/// Fills them.
pub(crate) fn fill(world: &mut World) {
    for (to, from) in moves(world).1 {
        world.position[to] = world.position[from];
        world.velocity[to] = world.velocity[from];
        world.identity[to] = world.identity[from];
    }
}

/// Moves what a method keeps of each particle.
pub(crate) fn kept(world: &mut World) {
    let width = world.kept.len() / world.position.len();
    for (to, from) in moves(world).1 {
        world.kept.copy_within(width * from..width * (from + 1), width * to);
    }
}

/// Counts those that are left.
pub(crate) fn count(world: &mut World) {
    world.control.particle_count = moves(world).0;
}
