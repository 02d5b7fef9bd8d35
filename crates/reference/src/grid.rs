//! The box of cells of grid methods (`wgsl/grid/`, `wgsl/common/box.wgsl`).

use glam::{DVec3, I64Vec3, UVec3};
use meniscus_methods::passes::INDIRECT_ROW;
use meniscus_model::Params;
use meniscus_model::control::FAILURE_CROWD;
use meniscus_model::params::{KIND_FLUID, KIND_REMOVED};

use crate::World;
use crate::poisson::diagonal;
use crate::sort;
use crate::space::{cell, xyz};
use crate::world::is_kind;

/// Most particles of a cell.
const MOST: u32 = 1024;

/// Edge Δx of the cells in m.
pub(crate) fn edge(params: &Params) -> f64 {
    f64::from(params.grid.cell)
}

/// Volume of a cell in m³ (m² in 2-D).
pub(crate) fn volume(params: &Params) -> f64 {
    edge(params).powi(params.world.dimensions as i32)
}

/// Coordinates of a cell by its number.
pub(crate) fn coordinates(params: &Params, number: usize) -> I64Vec3 {
    let size = params.grid.size.as_i64vec3();
    let number = number as i64;
    I64Vec3::new(number % size.x, number / size.x % size.y, number / (size.x * size.y))
}

/// Centre of a cell, relative to the domain's centre, in m.
pub(crate) fn center(params: &Params, cell: I64Vec3) -> DVec3 {
    params.grid.origin.as_dvec3() + edge(params) * (cell.as_dvec3() + 0.5)
}

/// Marks particles beyond the box as removed, and counts all of them by cells.
pub(crate) fn leave(world: &mut World) {
    for i in world.handled() {
        if !is_kind(world.identity[i], KIND_FLUID) {
            continue;
        }
        let grid = &world.params.grid;
        let place = cell(&world.params, xyz(world.position[i]));
        let stays = (0..world.params.world.dimensions as usize).all(|axis| {
            grid.period[axis] > 0.0 || (1.0..(grid.size[axis] - 1) as f32).contains(&place[axis])
        });
        if !stays {
            world.identity[i][1] |= KIND_REMOVED;
            world.control.left += 1;
        }
    }
    sort::count(world);
}

/// Cells of a block along each axis.
pub(crate) fn block_edges(params: &Params) -> I64Vec3 {
    if params.world.dimensions == 2 { I64Vec3::new(4, 2, 1) } else { I64Vec3::splat(2) }
}

/// Cells of a block, those beyond the box left out.
pub(crate) fn cells_of_block(params: &Params, block: usize) -> Vec<usize> {
    let size = params.grid.size.as_i64vec3();
    let edges = block_edges(params);
    let blocks = (size + edges - 1) / edges;
    let block = block as i64;
    let place =
        I64Vec3::new(block % blocks.x, block / blocks.x % blocks.y, block / (blocks.x * blocks.y));
    let mut cells = Vec::new();
    for z in 0..edges.z {
        for y in 0..edges.y {
            for x in 0..edges.x {
                let cell = edges * place + I64Vec3::new(x, y, z);
                if cell.cmplt(size).all() {
                    cells.push((cell.x + size.x * (cell.y + size.y * cell.z)) as usize);
                }
            }
        }
    }
    cells
}

/// Number of blocks.
pub(crate) fn blocks(world: &World) -> usize {
    world.params.grid.blocks(world.params.world.dimensions) as usize
}

/// Whether particles are in a block or in cells around it; its part beyond the box counts as well.
pub(crate) fn busy(world: &mut World) {
    let params = world.params;
    let size = params.grid.size.as_i64vec3();
    let edges = block_edges(&params);
    let layers = i64::from(params.grid.layers);
    let reach = layers * I64Vec3::new(1, 1, i64::from(params.grid.z_reach));
    for block in 0..blocks(world) {
        let corner = coordinates(&params, cells_of_block(&params, block)[0]);
        let (low, high) = (corner - reach, corner + edges - 1 + reach);
        let has = |x: i64, y: i64, z: i64| {
            let place = I64Vec3::new(x, y, z);
            let inside = (0..3).all(|axis| {
                params.grid.period[axis] > 0.0 || (0..size[axis]).contains(&place[axis])
            });
            let wrapped = place.rem_euclid(size);
            let at = (wrapped.x + size.x * (wrapped.y + size.y * wrapped.z)) as usize;
            inside && world.cell_start[at + 1] > world.cell_start[at]
        };
        let found = (low.z..=high.z)
            .any(|z| (low.y..=high.y).any(|y| (low.x..=high.x).any(|x| has(x, y, z))));
        world.words_mut("block_busy")[block] = u32::from(found);
    }
    let last = blocks(world);
    world.words_mut("block_busy")[last] = 0;
}

/// Workgroups of 64 cells in rows of 64, and the number of listed blocks.
fn dispatch(world: &mut World, blocks: u32) {
    let groups = blocks.div_ceil(8);
    let size = UVec3::new(groups.min(INDIRECT_ROW), groups.div_ceil(INDIRECT_ROW), 1);
    world.words_mut("busy_dispatch").copy_from_slice(&size.to_array());
    world.words_mut("busy_blocks")[0] = blocks;
    world.control.cluster_groups = size;
    world.control.loop_groups.fill(size);
}

/// List of the busy blocks.
pub(crate) fn list(world: &mut World) {
    let all = blocks(world);
    let listed: Vec<_> = (0..all).filter(|block| world.words("block_busy")[*block] == 1).collect();
    for (at, block) in listed.iter().enumerate() {
        world.words_mut("busy_blocks")[at + 1] = *block as u32;
    }
    dispatch(world, listed.len() as u32);
}

/// List of all blocks, and the same.
pub(crate) fn all(world: &mut World) {
    let blocks = blocks(world) as u32;
    for block in 0..blocks {
        world.words_mut("busy_blocks")[block as usize + 1] = block;
    }
    dispatch(world, blocks);
}

/// The busy blocks.
pub(crate) fn busy_blocks(world: &World) -> &[u32] {
    let words = world.words("busy_blocks");
    &words[1..=words[0] as usize]
}

/// Cells of the busy blocks.
pub(crate) fn busy_cells(world: &World) -> Vec<usize> {
    let blocks = busy_blocks(world).iter();
    blocks.flat_map(|block| cells_of_block(&world.params, *block as usize)).collect()
}

/// Cells of the busy blocks, eight of each; nothing for one beyond the box.
pub(crate) fn listed_cells(world: &World) -> Vec<Option<usize>> {
    let blocks = busy_blocks(world).iter();
    let of = |block: &u32| {
        let mut cells = cells_of_block(&world.params, *block as usize).into_iter();
        std::array::from_fn::<_, 8, _>(|_| cells.next())
    };
    blocks.flat_map(of).collect()
}

/// Cells within two of the ball that holds a solid, of which those count that are in busy blocks; the listed ones if these are fewer.
pub(crate) fn cells_around(world: &World, solid: usize) -> Vec<Option<usize>> {
    let params = &world.params;
    let (size, listed) = (params.grid.size.as_i64vec3(), listed_cells(world));
    let per_cell = params.grid.inverse_cell.as_dvec3();
    let position = crate::body::part(&world.bodies[solid], crate::body::POSITION);
    let middle = (position - params.grid.origin.as_dvec3()) * per_cell;
    let reach = f64::from(world.colliders[solid].reach) * per_cell;
    let reach = reach.min(size.as_dvec3()) + 2.0;
    let (low, high) = ((middle - reach).floor(), (middle + reach).floor());
    let (mut low, mut high) = (low.as_i64vec3(), high.as_i64vec3());
    for axis in (0..3).filter(|axis| params.grid.period[*axis] == 0.0) {
        low[axis] = low[axis].clamp(0, size[axis] - 1);
        high[axis] = high[axis].clamp(0, size[axis] - 1);
    }
    let around = (high - low + 1).min(size);
    if listed.len() as i64 <= around.element_product() {
        return listed;
    }
    let busy: std::collections::BTreeSet<_> = (0..blocks(world))
        .filter(|block| world.words("block_busy")[*block] == 1)
        .flat_map(|block| cells_of_block(params, block))
        .collect();
    let place = |k: i64| {
        let xy = around.x * around.y;
        let cell = low + I64Vec3::new(k % around.x, k / around.x % around.y, k / xy);
        let cell = cell.rem_euclid(size);
        (cell.x + size.x * (cell.y + size.y * cell.z)) as usize
    };
    let cells = (0..around.element_product()).map(place);
    cells.map(|c| busy.contains(&c).then_some(c)).collect()
}

/// Solids within three cells of each block, by the balls that hold them: how many, and the first 31.
pub(crate) fn near(world: &mut World) {
    let params = world.params;
    let colliders = params.counts.colliders as usize;
    let in_plane = DVec3::new(1.0, 1.0, f64::from(params.grid.z_reach));
    let half = block_edges(&params).as_dvec3() / 2.0 * in_plane;
    for block in 0..blocks(world) {
        let corner = coordinates(&params, cells_of_block(&params, block)[0]).as_dvec3();
        let middle = params.grid.origin.as_dvec3() + (corner + half) * edge(&params);
        let reach = (half.length() + 3.01) * edge(&params);
        let is_near = |solid: &usize| {
            let position = crate::body::part(&world.bodies[*solid], crate::body::POSITION);
            let offset = crate::space::displacement(&params, middle, position);
            (offset * in_plane).length() <= f64::from(world.colliders[*solid].reach) + reach
        };
        let found: Vec<_> = (0..colliders).filter(is_near).collect();
        let mut row = [0; 32];
        row[0] = if found.len() > 31 { colliders as u32 } else { found.len() as u32 };
        for (slot, solid) in row[1..].iter_mut().zip(&found) {
            *slot = *solid as u32;
        }
        world.words_mut("block_solids")[32 * block..32 * block + 32].copy_from_slice(&row);
    }
}

/// Blocks with an equation of pressure (`wgsl/poisson/wet`).
pub(crate) fn wet(world: &mut World) {
    let all = blocks(world);
    for block in 0..all {
        let cells = cells_of_block(&world.params, block);
        let wet = cells.into_iter().any(|c| diagonal(world, c) > 0.0);
        world.words_mut("block_busy")[block] = u32::from(wet);
    }
    world.words_mut("block_busy")[all] = 0;
}

/// Finds cells with too many particles.
pub(crate) fn crowd(world: &mut World) {
    for c in busy_cells(world) {
        let (first, end) = (world.cell_start[c], world.cell_start[c + 1]);
        if end - first > MOST {
            let id = world.sorted_identity[first as usize][0];
            world.control.pending_failure |= FAILURE_CROWD;
            world.control.failure_id = world.control.failure_id.min(id);
        }
    }
}
