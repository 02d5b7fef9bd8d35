//! Grids of signed distances of solids, which the GPU makes and interpolates.

use glam::DVec3;

use super::Solid;
use crate::params::DistanceField;

/// Nodes of a field at most: 64 MiB. A larger mesh gets longer cells.
const MOST_NODES: f64 = (1u32 << 24) as f64;
/// Nodes of a row at most: software Vulkan allows an invocation 65,535 turns of loops.
const LONGEST_ROW: f64 = (1u32 << 15) as f64;
/// Cells beyond the solid on every side: a particle that far away is out of any wall's reach.
const MARGIN: f64 = 4.0;
/// Spacings from the surface beyond which it is enough to know the side.
const BAND: f64 = 3.0;

impl Solid {
    /// The grid of its distances for particles `spacing` m apart. Cells are half a spacing long, so
    /// that a wall one spacing thick has an inside; sheets are given a thickness of one spacing.
    #[must_use]
    pub fn field(&self, spacing: f64) -> DistanceField {
        let (low, high) = self.mesh().bounds();
        let middle = self.middle();
        let size = 2.0 * (high - middle).max(middle - low);
        let mut cell = 0.5 * spacing;
        let nodes = |cell: f64| (size / cell).ceil() + 2.0 * MARGIN + 1.0;
        let too_many = |nodes: DVec3| {
            nodes.element_product() > MOST_NODES || nodes.max_element() > LONGEST_ROW
        };
        while too_many(nodes(cell)) {
            cell *= 1.25;
        }
        let nodes = nodes(cell);
        DistanceField {
            half_extents: (0.5 * cell * (nodes - 1.0)).as_vec3(),
            cell: cell as f32,
            nodes: nodes.as_uvec3(),
            // The distances at all corners of a cell that the surface crosses are exact.
            band: (BAND * spacing).max(2.0 * cell) as f32,
            half_thickness: if self.mesh().is_closed() { 0.0 } else { 0.5 * spacing as f32 },
            ..DistanceField::default()
        }
    }
}
