//! Counting sort by grid cell (`wgsl/sort/`). Within a cell, particles are ordered by x, then by
//! id.

use meniscus_model::params::{KIND_BOUNDARY, KIND_REMOVED};

use crate::World;
use crate::space::{key, with_w, xyz};
use crate::world::is_kind;

/// Whether a drain has removed the particle in slot `i`.
fn removed(world: &World, i: usize) -> bool {
    world.identity[i][1] & 255 == KIND_REMOVED
}

/// Bucket of the particle in slot `i`: one bucket of fluid per cell, then one of boundary particles
/// per cell, and last the bucket of removed particles.
fn bucket(world: &World, i: usize) -> usize {
    let wall = is_kind(world.identity[i], KIND_BOUNDARY);
    let first = if wall { world.params.grid.cell_count } else { 0 };
    let cells = world.params.grid.size.element_product();
    let number = world.params.world_of(world.identity[i]) * cells
        + key(&world.params, xyz(world.position[i]));
    (first + number) as usize
}

/// Last bucket: removed particles. Grid methods have buckets of boundary particles only with bodies.
fn last_bucket(world: &World) -> usize {
    let kinds = if world.params.grid.cell > 0.0 && world.params.counts.walls == 0 { 1 } else { 2 };
    kinds * world.params.grid.cell_count as usize
}

/// Counts the particles of each bucket; removed ones are in the last.
pub(crate) fn count(world: &mut World) {
    for i in world.handled() {
        let bucket = if removed(world, i) { last_bucket(world) } else { bucket(world, i) };
        world.arrival[i] = world.cell_count[bucket];
        world.cell_count[bucket] += 1;
    }
}

/// Writes (id, slot) into the bucket's range in order of arrival.
pub(crate) fn bin(world: &mut World) {
    for i in world.handled().filter(|&i| !removed(world, i)).collect::<Vec<_>>() {
        let slot = world.cell_start[bucket(world, i)] + world.arrival[i];
        world.binned[slot as usize] = [world.identity[i][0], i as u32];
    }
}

/// Orders a bucket's particles by x, then by id; records where boundary particles are. Counts are 0 again.
pub(crate) fn rank(world: &mut World) {
    if world.handled().any(|i| removed(world, i)) {
        let last = last_bucket(world);
        world.cell_count[last] = 0;
    }
    for i in world.handled().filter(|&i| !removed(world, i)).collect::<Vec<_>>() {
        let id = world.identity[i][0];
        let bucket = bucket(world, i);
        let (start, end) =
            (world.cell_start[bucket] as usize, world.cell_start[bucket + 1] as usize);
        let place = |i: u32, id: u32| (world.position[i as usize][0], id);
        let own = place(i as u32, id);
        let before = |binned: &&[u32; 2]| place(binned[1], binned[0]) < own;
        let rank = world.binned[start..end].iter().filter(before).count();
        world.order[start + rank] = i as u32;
        world.cell_count[bucket] = 0;
        if is_kind(world.identity[i], KIND_BOUNDARY) {
            let k = id - world.params.counts.first_wall;
            world.wall_slots[k as usize] = (start + rank) as u32;
        }
    }
}

/// Drops removed particles: the start of the last bucket is the live count.
pub(crate) fn live(world: &mut World) {
    world.control.particle_count = world.cell_start[last_bucket(world)];
}

/// Copies particles into cell order, with their rest volume m/ρ0 in w, or −`V_b` for boundary
/// particles. The pressure in the velocity's w lane is 0 until computed; boundary particles keep
/// their friction there.
pub(crate) fn reorder(world: &mut World) {
    for s in world.handled() {
        let i = world.order[s] as usize;
        let identity = world.identity[i];
        let rest_volume = f64::from(world.material(identity).rest_volume);
        let (volume, w) = match identity[1] & 255 {
            KIND_BOUNDARY => (-world.position[i][3], world.velocity[i][3]),
            _ => (rest_volume, 0.0),
        };
        world.sorted_position[s] = with_w(xyz(world.position[i]), volume);
        world.sorted_velocity[s] = with_w(xyz(world.velocity[i]), w);
        world.sorted_identity[s] = identity;
    }
}
