//! Grids of signed distances of meshes, computed on the GPU (`wgsl/solid/bake.wgsl`) and
//! interpolated.

use glam::DVec3;
use meniscus_geometry::mesh::{self, Solid};

use crate::params::{DistanceField, FieldBox, FieldTriangle};

/// Most nodes of a field: 64 MiB. A larger mesh gets longer cells.
const MOST_NODES: f64 = (1u32 << 24) as f64;
/// Most nodes of a row: software Vulkan limits an invocation to 65,535 loop iterations.
const LONGEST_ROW: f64 = (1u32 << 15) as f64;
/// Margin in cells around the solid: a particle that far away is out of reach of any wall.
const MARGIN: f64 = 4.0;
/// Distance from the surface in spacings beyond which only the sign matters.
const BAND: f64 = 3.0;

/// Batch of neighbouring triangles of a mesh, and boxes around them, relative to the mesh's centre.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Batch {
    /// At most [`MAX_BOXES`](Self::MAX_BOXES), in depth-first order.
    pub boxes: Vec<FieldBox>,
    /// At most [`MAX_TRIANGLES`](Self::MAX_TRIANGLES).
    pub triangles: Vec<FieldTriangle>,
}

impl Batch {
    /// Most triangles.
    pub const MAX_TRIANGLES: u32 = mesh::Batch::MAX_TRIANGLES;
    /// Most boxes.
    pub const MAX_BOXES: u32 = mesh::Batch::MAX_BOXES;
}

/// Triangles of a mesh, in batches for the GPU.
pub fn batches(solid: &Solid) -> impl Iterator<Item = Batch> {
    solid.batches().map(|mesh::Batch { boxes, triangles, .. }| Batch {
        boxes: boxes
            .into_iter()
            .map(|mesh::BatchBox { low, past, high, leaf }| FieldBox { low, past, high, leaf })
            .collect(),
        triangles: triangles
            .into_iter()
            .map(|mesh::BatchTriangle { corners, normals }| FieldTriangle { corners, normals })
            .collect(),
    })
}

/// Grid of a mesh's distances for particles `spacing` m apart. Cells are half a spacing long, so
/// that a wall one spacing thick has an inside; sheets get a thickness of one spacing. Polygons have two layers of nodes.
#[must_use]
pub fn field(solid: &Solid, spacing: f64) -> DistanceField {
    field_around(solid, solid.mesh().bounds(), spacing)
}

/// Like [`field`], of a mesh that changes its shape between these corners in m.
#[must_use]
pub fn field_around(solid: &Solid, (low, high): (DVec3, DVec3), spacing: f64) -> DistanceField {
    let is_flat = !solid.outline().is_empty();
    let middle = solid.middle();
    let size = 2.0 * (high - middle).max(middle - low);
    let mut cell = 0.5 * spacing;
    let nodes = |cell: f64| {
        let nodes = (size / cell).ceil() + 2.0 * MARGIN + 1.0;
        if is_flat { nodes.with_z(2.0) } else { nodes }
    };
    let too_many =
        |nodes: DVec3| nodes.element_product() > MOST_NODES || nodes.max_element() > LONGEST_ROW;
    while too_many(nodes(cell)) {
        cell *= 1.25;
    }
    let nodes = nodes(cell);
    DistanceField {
        half_extents: (0.5 * cell * (nodes - 1.0)).as_vec3(),
        cell: cell as f32,
        nodes: nodes.as_uvec3(),
        // At least two cells, so that distances are exact at all corners of cells that the surface
        // crosses.
        band: (BAND * spacing).max(2.0 * cell) as f32,
        half_thickness: if solid.mesh().is_closed() { 0.0 } else { 0.5 * spacing as f32 },
        ..DistanceField::default()
    }
}

#[cfg(test)]
mod tests {
    use meniscus_geometry::mesh::TriangleMesh;

    use super::*;

    #[test]
    fn a_field_about_the_centre_of_mass_covers_the_whole_body() {
        // A pyramid, whose centre of mass is not the centre of its bounding box.
        let corners = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]];
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = TriangleMesh::new(&corners, &faces).expect("a pyramid");
        let solid = Solid::new(mesh.placed([1.0; 3], [1.0, -2.0, 0.7], 0.9, [10.0, -3.0, 2.5]));
        let (_, own) = solid.as_body().expect("closed");
        let reach = field(own, 0.1).half_extents.as_dvec3();
        let (low, high) = own.mesh().bounds();
        assert!(reach.cmpgt(high).all() && (-reach).cmplt(low).all());
    }
}
