//! Geometry of boundaries: triangles of unit shapes, and the edges of containers.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};
use meniscus::{
    raw::model::{
        geometry::{
            Size,
            drawing::{self, Unit},
        },
        params::Collider,
    },
    scene::{Shape, mesh::Solid},
};

use crate::fluid::rotate;

/// A [`drawing::Vertex`] in the layout of the shader.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    /// Position in half extents; in w 1 where containers are open.
    by_extent: [f32; 4],
    /// Position in units; in w 0 for radii, 1 for metres, 2 for the scene's size.
    by_unit: [f32; 4],
    normal: [f32; 4],
}

impl From<drawing::Vertex> for Vertex {
    fn from(vertex: drawing::Vertex) -> Self {
        let unit = match vertex.unit {
            Unit::Radius => 0.0,
            Unit::Metre => 1.0,
            Unit::Scene => 2.0,
        };
        Self {
            by_extent: vertex.by_extent.extend(f32::from(u8::from(vertex.open))).into(),
            by_unit: vertex.by_unit.extend(unit).into(),
            normal: vertex.normal.extend(0.0).into(),
        }
    }
}

/// Cosine of the largest angle between normals that are smoothed.
const SMOOTH: f32 = 0.8;

/// Triangles of all shapes, and the range of each by its `SHAPE_…` number.
pub(crate) struct Shapes {
    pub(crate) vertices: Vec<Vertex>,
    ranges: Vec<Range<u32>>,
}

impl Shapes {
    pub(crate) fn new() -> Self {
        let (mut vertices, mut ranges) = (Vec::new(), Vec::new());
        for kind in Shape::KINDS {
            let start = vertices.len() as u32;
            vertices.extend((kind.drawn)().into_iter().map(Vertex::from));
            ranges.push(start..vertices.len() as u32);
        }
        Self { vertices, ranges }
    }

    /// Vertices of a shape; none if the number is unknown.
    pub(crate) fn range(&self, shape: u32) -> Range<u32> {
        self.ranges.get(shape as usize).cloned().unwrap_or_default()
    }
}

/// Size of a collider's shape.
pub(crate) fn size_of(collider: &Collider) -> Size {
    Size { half_extents: collider.half_extents, radius: collider.radius }
}

/// Triangles of a mesh, relative to its centre. Normals are smooth except across sharp edges.
pub(crate) fn mesh(solid: &Solid) -> Vec<Vertex> {
    let mesh = solid.mesh();
    let place = |i: u32| (DVec3::from(mesh.positions()[i as usize]) - solid.middle()).as_vec3();
    let areas: Vec<Vec3> = mesh
        .triangles()
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(place);
            (b - a).cross(c - a)
        })
        .collect();
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); mesh.positions().len()];
    for (t, triangle) in mesh.triangles().iter().enumerate() {
        for i in triangle {
            around[*i as usize].push(t as u32);
        }
    }
    let mut vertices = Vec::with_capacity(3 * areas.len());
    for (triangle, area) in mesh.triangles().iter().zip(&areas) {
        let own = area.normalize_or_zero();
        for i in triangle {
            let near = around[*i as usize].iter().map(|t| areas[*t as usize]);
            let smooth = near.filter(|other| other.normalize_or_zero().dot(own) > SMOOTH);
            vertices.push(Vertex::from(drawing::Vertex {
                by_unit: place(*i),
                unit: Unit::Metre,
                normal: smooth.sum::<Vec3>().normalize_or(own),
                ..drawing::Vertex::default()
            }));
        }
    }
    vertices
}

/// Edges of a container, as segments relative to the domain's centre; in 2-D only its outline.
pub(crate) fn edges(collider: &Collider, flat: bool, solid: Option<&Solid>) -> Vec<[Vec3; 2]> {
    let kind = Shape::KINDS.get(collider.shape as usize);
    let mut local = kind.map_or_else(Vec::new, |kind| (kind.outline)(size_of(collider), flat));
    let corners = solid.map_or(&[][..], Solid::outline);
    let next = corners.iter().cycle().skip(1);
    local.extend(corners.iter().zip(next).map(|(a, b)| [a, b].map(|p| p.as_vec2().extend(0.0))));
    let place = |p: Vec3| collider.position + rotate(collider, p);
    let mut placed: Vec<_> = local.iter().map(|segment| segment.map(place)).collect();
    if flat {
        for p in placed.iter_mut().flatten() {
            p.z = 0.0;
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_shapes_have_unit_normals_and_all_their_triangles() {
        let shapes = Shapes::new();
        for (shape, kind) in (0..).zip(Shape::KINDS) {
            let range = shapes.range(shape);
            // Meshes have their own triangles, polygons their outlines, and points nothing.
            let drawn = !matches!(kind.key, "mesh" | "points" | "polygon");
            assert!(range.is_empty() != drawn && range.len().is_multiple_of(3), "{}", kind.key);
        }
        for vertex in &shapes.vertices {
            let n = Vec3::from_slice(&vertex.normal[..3]);
            assert!((n.length() - 1.0).abs() < 1e-4, "{vertex:?}");
        }
    }

    #[test]
    fn a_box_has_12_edges_and_4_in_2d() {
        let shape =
            Collider { half_extents: Vec3::ONE, rotation: glam::Vec4::W, ..Default::default() };
        assert_eq!(edges(&shape, false, None).len(), 12);
        assert_eq!(edges(&shape, true, None).len(), 4);
    }
}
