//! The counting sort by grid cell (`wgsl/sort/`). Inside a cell, particles are in order of id.

use meniscus_model::params::kind;

use crate::World;
use crate::space::{key, with_w, xyz};

/// Whether a drain has taken the particle in slot `i`.
fn removed(world: &World, i: usize) -> bool {
    world.identity[i][1] & 255 == kind::REMOVED
}

/// The cell of the particle in slot `i`.
fn cell(world: &World, i: usize) -> usize {
    key(&world.params, xyz(world.position[i])) as usize
}

/// Counts the particles of each cell, and removed ones in the bucket after the last cell.
pub(crate) fn count(world: &mut World) {
    for i in world.particles() {
        let bucket =
            if removed(world, i) { world.params.cell_count as usize } else { cell(world, i) };
        world.arrival[i] = world.cell_count[bucket];
        world.cell_count[bucket] += 1;
    }
}

/// Puts (id, slot) into the cell's range in order of arrival.
pub(crate) fn bin(world: &mut World) {
    for i in world.particles().filter(|&i| !removed(world, i)).collect::<Vec<_>>() {
        let slot = world.cell_start[cell(world, i)] + world.arrival[i];
        world.binned[slot as usize] = [world.identity[i][0], i as u32];
    }
}

/// Orders a cell's particles by id: a particle's rank is the number of smaller ids in its cell.
pub(crate) fn rank(world: &mut World) {
    for i in world.particles().filter(|&i| !removed(world, i)).collect::<Vec<_>>() {
        let id = world.identity[i][0];
        let cell = cell(world, i);
        let (start, end) = (world.cell_start[cell] as usize, world.cell_start[cell + 1] as usize);
        let rank = world.binned[start..end].iter().filter(|binned| binned[0] < id).count();
        world.order[start + rank] = i as u32;
    }
}

/// Drops the removed particles: what the bucket after the last cell starts with is the live count.
pub(crate) fn live(world: &mut World) {
    world.control.particle_count = world.cell_start[world.params.cell_count as usize];
}

/// Copies particles into cell order, with their rest volume m/ρ0 in w; −`V_b` of boundary
/// particles.
pub(crate) fn reorder(world: &mut World) {
    for s in world.particles() {
        let i = world.order[s] as usize;
        let identity = world.identity[i];
        let volume = match identity[1] & 255 {
            kind::BOUNDARY => -world.position[i][3],
            _ => f64::from(world.material(identity).rest_volume),
        };
        world.sorted_position[s] = with_w(xyz(world.position[i]), volume);
        world.sorted_velocity[s] = world.velocity[i];
        world.sorted_identity[s] = identity;
    }
}
