//! Grids of signed distances of meshes, and the batches of triangles from which the GPU computes
//! them.

use glam::{UVec3, Vec3};
use meniscus_shared::shared;

shared! {
    /// Grid of a mesh's signed distances, and the current batch of triangles
    /// (`wgsl/solid/bake.wgsl`).
    struct DistanceField {
        /// Half extents of the grid in m; its centre is that of the mesh.
        half_extents: Vec3,
        /// Length of a cell's edge in m.
        cell: f32,
        /// Nodes per axis; x varies fastest, then y.
        nodes: UVec3,
        /// Offset in `distances`: half extents, then the distance of each node in m.
        first: u32,
        /// First of the nodes near the batch.
        low: UVec3,
        /// Distance in m at which values are clamped.
        band: f32,
        /// Number of nodes per axis near the batch.
        size: UVec3,
        /// Half the thickness of a sheet in m; 0 for a closed mesh.
        half_thickness: f32,
        /// Number of boxes of the batch.
        box_count: u32,
    }

    /// Box around triangles of a batch, in depth-first order.
    struct FieldBox {
        /// Lower corner in m.
        low: Vec3,
        /// Next box that is not inside this one.
        past: u32,
        /// Upper corner in m.
        high: Vec3,
        /// Sixteen times the first triangle, plus the number of triangles; 0 for a box that
        /// contains boxes.
        leaf: u32,
    }

    /// Triangle of a batch.
    struct FieldTriangle {
        /// Corners relative to the mesh's centre, in m.
        corners: [Vec3; 3],
        /// Normals of the parts that may be nearest: corners, the edges that begin there, and the
        /// face.
        normals: [Vec3; 7],
    }
}

impl DistanceField {
    /// Number of elements in `distances`.
    #[must_use]
    pub fn length(&self) -> u32 {
        3 + self.nodes.element_product()
    }

    /// Grid for a batch with these boxes: only the nodes near them are visited.
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
