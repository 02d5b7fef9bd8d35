//! The box of cells of grid methods (`wgsl/grid/`, `wgsl/common/box.wgsl`).

use glam::{DVec3, I64Vec3};
use meniscus_model::Params;
use meniscus_model::control::FAILURE_CROWD;
use meniscus_model::params::{KIND_FLUID, KIND_REMOVED};

use crate::World;
use crate::space::{cell, xyz};
use crate::world::is_kind;

/// Most particles of a cell.
const MOST: u32 = 1024;

/// Edge Δx of the cells in m.
pub(crate) fn edge(params: &Params) -> f64 {
    f64::from(params.torus.cell)
}

/// Volume of a cell in m³ (m² in 2-D).
pub(crate) fn volume(params: &Params) -> f64 {
    edge(params).powi(params.world.dimensions as i32)
}

/// Coordinates of a cell by its number.
pub(crate) fn coordinates(params: &Params, number: usize) -> I64Vec3 {
    let size = params.torus.size.as_i64vec3();
    let number = number as i64;
    I64Vec3::new(number % size.x, number / size.x % size.y, number / (size.x * size.y))
}

/// Centre of a cell, relative to the domain's centre, in m.
pub(crate) fn center(params: &Params, cell: I64Vec3) -> DVec3 {
    params.torus.origin.as_dvec3() + edge(params) * (cell.as_dvec3() + 0.5)
}

/// Marks particles beyond the box as removed, and counts them.
pub(crate) fn leave(world: &mut World) {
    for i in world.handled() {
        if !is_kind(world.identity[i], KIND_FLUID) {
            continue;
        }
        let torus = &world.params.torus;
        let place = cell(&world.params, xyz(world.position[i]));
        let stays = (0..world.params.world.dimensions as usize).all(|axis| {
            torus.period[axis] > 0.0 || (1.0..(torus.size[axis] - 1) as f32).contains(&place[axis])
        });
        if !stays {
            world.identity[i][1] |= KIND_REMOVED;
            world.control.left += 1;
        }
    }
}

/// Finds cells with too many particles.
pub(crate) fn crowd(world: &mut World) {
    for c in 0..world.params.torus.cell_count as usize {
        let (first, end) = (world.cell_start[c], world.cell_start[c + 1]);
        if end - first > MOST {
            let id = world.sorted_identity[first as usize][0];
            world.control.pending_failure |= FAILURE_CROWD;
            world.control.failure_id = world.control.failure_id.min(id);
        }
    }
}
