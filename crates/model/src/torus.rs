//! Torus of cells for the neighbour search.

use glam::{DVec3, UVec3, Vec3};
use meniscus_scene::Scene;

use crate::extent::Bounds;

/// Ratio of the cell size to h, so that rounding in f32 cannot place two neighbours more than one
/// cell apart within thousands of cells of the origin.
const CELL_MARGIN: f64 = 1.0 + 1.0 / 1024.0;
/// Limit on cells per particle slot (at least `MIN_CELL_CAP` cells): larger boxes fold onto a
/// smaller torus.
const CELLS_PER_PARTICLE: f64 = 4.0;
const MIN_CELL_CAP: f64 = 65_536.0;

/// Origin, cells and periods of the torus, as in [`Params`](crate::Params).
pub(crate) struct Torus {
    pub(crate) origin: Vec3,
    pub(crate) inverse_cell: Vec3,
    pub(crate) size: UVec3,
    pub(crate) period: Vec3,
}

impl Torus {
    pub(crate) fn new(scene: &Scene, bounds: &Bounds, center: DVec3, capacity: f64) -> Self {
        let h = scene.support_radius();
        let extent = (bounds.max - bounds.min).to_array();
        let periodic = scene.domain.as_ref().map_or([false; 3], |domain| domain.periodic);
        let mut cell = [h * CELL_MARGIN; 3];
        let mut size = [1.0; 3];
        let mut period = [0.0; 3];
        for axis in 0..3 {
            if axis == 2 && scene.dimensions == 2 {
                continue;
            }
            if periodic[axis] {
                // Whole cells of at least h fill the period.
                size[axis] = (extent[axis] / cell[axis]).floor().max(3.0);
                cell[axis] = extent[axis] / size[axis];
                period[axis] = extent[axis];
            } else {
                // A spare cell at each end, so that fluid at a wall does not meet its alias on the
                // torus.
                size[axis] = ((extent[axis] / cell[axis]).ceil() + 2.0).max(3.0);
            }
        }
        // A huge empty domain folds onto a torus that fits in memory.
        let whole = size;
        let cap = (CELLS_PER_PARTICLE * capacity).max(MIN_CELL_CAP);
        while size.iter().product::<f64>() > cap {
            let free = (0..3).filter(|axis| !periodic[*axis] && size[*axis] > 3.0);
            let Some(axis) = free.max_by(|a, b| size[*a].total_cmp(&size[*b])) else { break };
            size[axis] = (size[axis] / 2.0).ceil().max(3.0);
        }
        let low = bounds.min - center;
        let origin = std::array::from_fn(|k| {
            if periodic[k] {
                low[k] as f32
            } else if size[k] < whole[k] {
                // The box of cells still covers the middle of the domain.
                (-0.5 * size[k] * cell[k]) as f32
            } else {
                (low[k] - cell[k]) as f32
            }
        });
        Self {
            origin: Vec3::from_array(origin),
            inverse_cell: Vec3::from_array(cell.map(|c| (1.0 / c) as f32)),
            size: UVec3::from_array(size.map(|s| s as u32)),
            period: Vec3::from_array(period.map(|p| p as f32)),
        }
    }
}
