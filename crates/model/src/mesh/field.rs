//! Signed distances of a solid on a grid, which the GPU interpolates.

use glam::{DVec3, UVec3};

use super::Solid;

/// Nodes of a field at most: 64 MiB. A larger mesh gets longer cells.
const MOST_NODES: f64 = (1u32 << 24) as f64;
/// Cells beyond the solid on every side: a particle that far away is out of any wall's reach.
const MARGIN: f64 = 4.0;
/// Spacings from the surface beyond which a lower bound of the distance will do.
const BAND: f64 = 3.0;

/// Signed distances in m, positive outside, on a grid of cubic cells; trilinear in between.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "caches of files build it")]
pub struct DistanceField {
    /// Node (0, 0, 0), relative to the [middle](Solid::middle) of the solid, in m; that of the grid is
    /// the same.
    pub origin: [f64; 3],
    /// Length of a cell's edge in m.
    pub cell: f64,
    /// Nodes per axis.
    pub size: [u32; 3],
    /// x varies fastest, then y.
    pub values: Vec<f32>,
}

impl DistanceField {
    /// Cells are half a spacing long, so that a wall one spacing thick has an inside.
    pub(super) fn new(solid: &Solid, spacing: f64) -> Self {
        let (low, high) = solid.mesh().bounds();
        let middle = solid.middle();
        let size = 2.0 * (high - middle).max(middle - low);
        let mut cell = 0.5 * spacing;
        let nodes = |cell: f64| (size / cell).ceil() + 2.0 * MARGIN + 1.0;
        while nodes(cell).element_product() > MOST_NODES {
            cell *= 1.25;
        }
        let size = nodes(cell);
        let origin = -0.5 * (size - 1.0) * cell;
        let count = UVec3::new(size.x as u32, size.y as u32, size.z as u32);
        let mut values = Vec::with_capacity(size.element_product() as usize);
        let band = BAND * spacing;
        for k in 0..count.z {
            for j in 0..count.y {
                // The distance at the last node where it was looked for, and nodes since.
                let (mut known, mut since) = (0.0f64, 0.0);
                for i in 0..count.x {
                    since += cell;
                    if known.abs() - since > band {
                        values.push((known - since * known.signum()) as f32);
                        continue;
                    }
                    let step = DVec3::new(f64::from(i), f64::from(j), f64::from(k));
                    known = solid.thick_distance(middle + origin + cell * step, spacing);
                    since = 0.0;
                    values.push(known as f32);
                }
            }
        }
        Self { origin: origin.to_array(), cell, size: count.to_array(), values }
    }
}
