//! Distances of meshes on grids, and the batches of triangles by which the GPU makes them.

use glam::{UVec3, Vec3};
use meniscus_shared::shared;

shared! {
    /// A grid of a mesh's distances, and the batch of triangles with which they are being made
    /// (`wgsl/solid/bake.wgsl`).
    struct DistanceField {
        /// Half of the grid in m; its middle is that of the mesh.
        half_extents: Vec3,
        /// Length of a cell's edge in m.
        cell: f32,
        /// Nodes per axis; x varies fastest, then y.
        nodes: UVec3,
        /// Where it begins in `distances`: half extents, then the distance of each node in m.
        first: u32,
        /// First of the nodes that the batch may be near.
        low: UVec3,
        /// Farther than this from the surface the distance is this, in m.
        band: f32,
        /// How many nodes per axis the batch may be near.
        size: UVec3,
        /// Half the thickness of a sheet in m; 0 of what encloses a volume.
        half_thickness: f32,
        /// Boxes of the batch.
        box_count: u32,
    }

    /// A box about triangles of a batch, in depth-first order.
    struct FieldBox {
        /// Lower corner in m.
        low: Vec3,
        /// The next box that is not within this one.
        past: u32,
        /// Upper corner in m.
        high: Vec3,
        /// Sixteen times the first triangle, plus how many there are: 0 where boxes are within.
        leaf: u32,
    }

    /// A triangle of a batch.
    struct FieldTriangle {
        /// Relative to the mesh's middle, in m.
        corners: [Vec3; 3],
        /// Directions of what may be nearest: corners, edges that begin there, face.
        normals: [Vec3; 7],
    }
}

impl DistanceField {
    /// Elements that it takes of `distances`.
    #[must_use]
    pub fn length(&self) -> u32 {
        3 + self.nodes.element_product()
    }

    /// The same for a batch whose first box is about all of it.
    #[must_use]
    pub fn with_batch(self, boxes: &[FieldBox]) -> Self {
        let all = boxes.first().copied().unwrap_or_default();
        let node = |p: Vec3| (p + self.half_extents) / self.cell;
        let last = self.nodes.saturating_sub(UVec3::ONE);
        let low = node(all.low - self.band).floor().as_uvec3().min(last);
        let high = node(all.high + self.band).ceil().as_uvec3().min(last);
        Self { low, size: high - low + 1, box_count: boxes.len() as u32, ..self }
    }
}
