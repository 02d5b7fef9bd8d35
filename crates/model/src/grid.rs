//! Cells of the sort: a torus for the neighbour search, or the box of a grid method.

use glam::{DVec3, UVec3, Vec3};
use meniscus_scene::{Boundary, Scene, Side};

use crate::extent::Bounds;

/// Ratio of the cell size to h, so that rounding in f32 cannot place two neighbours more than one
/// cell apart within thousands of cells of the origin.
const CELL_MARGIN: f64 = 1.0 + 1.0 / 1024.0;
/// Limit on cells per particle slot (at least `MIN_CELL_CAP` cells): larger boxes fold onto a
/// smaller torus.
const CELLS_PER_PARTICLE: f64 = 4.0;
const MIN_CELL_CAP: f64 = 262_144.0;

/// Origin, cells and periods, as in [`Params`](crate::Params).
pub(crate) struct Grid {
    pub(crate) origin: Vec3,
    pub(crate) inverse_cell: Vec3,
    pub(crate) size: UVec3,
    pub(crate) period: Vec3,
    /// Edge of a grid method's cells in m; 0 of a torus.
    pub(crate) cell: f32,
}

impl Grid {
    pub(crate) fn new(
        scene: &Scene,
        bounds: &Bounds,
        center: DVec3,
        h: f64,
        capacity: f64,
    ) -> Self {
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
        // Scenes without fluid have no such middle.
        let fluid = 0.5 * (bounds.fluid_min + bounds.fluid_max) - center;
        let fluid = if fluid.is_finite() { fluid } else { DVec3::ZERO };
        let origin = std::array::from_fn(|k| {
            if periodic[k] {
                return low[k] as f32;
            }
            let first = low[k] - cell[k];
            if size[k] < whole[k] {
                // The box of cells still covers where the fluid begins, within the domain.
                let last = first + (whole[k] - size[k]) * cell[k];
                (fluid[k] - 0.5 * size[k] * cell[k]).clamp(first, last) as f32
            } else {
                first as f32
            }
        });
        Self {
            origin: Vec3::from_array(origin),
            inverse_cell: Vec3::from_array(cell.map(|c| (1.0 / c) as f32)),
            size: UVec3::from_array(size.map(|s| s as u32)),
            period: Vec3::from_array(period.map(|p| p as f32)),
            cell: 0.0,
        }
    }

    /// Box of cubic cells of this edge in m: the domain, enlarged at its upper ends to whole cells, and one more
    /// cell at either end, which is not there on periodic axes. A domain that the scene does not give has two cells
    /// more on each side, and faces of cells lie on the lower side of the first container or plane.
    pub(crate) fn boxed(scene: &Scene, bounds: &Bounds, center: DVec3, edge: f64) -> Self {
        let periodic = scene.domain.as_ref().map_or([false; 3], |domain| domain.periodic);
        let margin = if scene.domain.is_some() { 0.0 } else { 2.0 };
        let (mut size, mut origin, mut period) = ([1.0; 3], [-0.5 * edge; 3], [0.0; 3]);
        for axis in 0..scene.dimensions as usize {
            let (low, high) = (bounds.min[axis], bounds.max[axis]);
            if periodic[axis] {
                size[axis] = ((high - low) / edge).round();
                origin[axis] = low - center[axis];
                period[axis] = high - low;
            } else {
                // Not a further cell for the last digits of a quotient.
                let whole = |length: f64| (length / edge - 1e-6).ceil().max(0.0);
                let wall = side(scene, axis).filter(|_| scene.domain.is_none());
                let low = wall.map_or(low, |side| side - whole(side - low) * edge);
                size[axis] = whole(high - low).max(1.0) + 2.0 * margin + 2.0;
                origin[axis] = low - center[axis] - (margin + 1.0) * edge;
            }
        }
        Self {
            origin: Vec3::from_array(origin.map(|x| x as f32)),
            inverse_cell: Vec3::splat((1.0 / edge) as f32),
            size: UVec3::from_array(size.map(|s| s as u32)),
            period: Vec3::from_array(period.map(|p| p as f32)),
            cell: edge as f32,
        }
    }
}

/// Place along an axis of the lower side of the first container, or of the first plane across the axis.
fn side(scene: &Scene, axis: usize) -> Option<f64> {
    let of = |wall: &Boundary| {
        let (middle, half) = wall.shape.bounds();
        if !wall.shape.is_endless() {
            return (wall.side == Side::Inside).then_some((middle - half)[axis]);
        }
        let depth = |point| wall.shape.depth(point, scene.dimensions);
        let rise = depth(middle + DVec3::AXES[axis]) - depth(middle);
        (rise.abs() > 1.0 - 1e-6).then_some(middle[axis])
    };
    scene.boundaries.iter().find_map(of)
}

#[cfg(test)]
mod tests {
    use meniscus_scene::{Cuboid, Domain, Fluid, Shape};

    use super::*;

    #[test]
    fn a_huge_domain_has_its_cells_where_the_fluid_is() {
        let mut scene = Scene::default();
        // Beside the lower side along x, in the middle along z.
        let cuboid = Cuboid { min: [0.1, 0.1, 4.9], max: [0.3, 0.3, 5.1] };
        scene.fluids = vec![Fluid::new(Shape::Box(cuboid.clone()))];
        scene.domain = Some(Domain { min: [0.0; 3], max: [10.0; 3], periodic: [false; 3] });
        let bounds = Bounds::of(&scene, [cuboid.min, cuboid.max].iter());
        let center = bounds.center();
        let grid = Grid::new(&scene, &bounds, center, 0.05, 1000.0);
        let cells = grid.size.as_dvec3();
        assert!(cells.element_product() <= MIN_CELL_CAP, "{cells}");
        let edge = 1.0 / grid.inverse_cell.as_dvec3();
        let low = grid.origin.as_dvec3() + center;
        let high = low + cells * edge;
        assert!(low.min_element() >= -1.01 * edge.x && high.max_element() <= 10.0 + 2.0 * edge.x);
        assert!((low.x + edge.x).abs() < 1e-5 && (low.y + edge.y).abs() < 1e-5, "{low}");
        assert!((0.5 * (low.z + high.z) - 5.0).abs() < edge.z, "{low} to {high}");
    }
}
