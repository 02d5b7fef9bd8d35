//! Geometry of boundaries: triangles of unit shapes, and the edges of containers.

use std::{f32::consts::PI, ops::Range};

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec2, Vec3};
use meniscus::model::mesh::Solid;
use meniscus::model::params::{
    Collider, SHAPE_BOX, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_PLANE, SHAPE_SPHERE,
};

use crate::fluid::rotate;

/// Vertex of a unit shape: position and, in w, the end of the capsule it belongs to; normal.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    position: [f32; 4],
    normal: [f32; 4],
}

/// Cosine of the largest angle between normals that are smoothed.
const SMOOTH: f32 = 0.8;
const AROUND: usize = 64;
const ALONG: usize = 32;

/// Triangles of all shapes, and the range of each by its `SHAPE_…` number.
pub(crate) struct Shapes {
    pub(crate) vertices: Vec<Vertex>,
    ranges: [Range<u32>; 5],
}

impl Shapes {
    pub(crate) fn new() -> Self {
        let mut vertices = Vec::new();
        let mut ranges: [Range<u32>; 5] = Default::default();
        type Maker = fn(&mut Vec<Vertex>);
        let makers: [(u32, Maker); 5] = [
            (SHAPE_BOX, cube),
            (SHAPE_SPHERE, |v| ball(v, 0.0)),
            (SHAPE_PLANE, |v| face(v, Vec3::Y, 0.0)),
            (SHAPE_CYLINDER, cylinder),
            (SHAPE_CAPSULE, |v| {
                ball(v, 1.0);
                tube(v, 0.0, 1.0);
            }),
        ];
        for (shape, make) in makers {
            let start = vertices.len() as u32;
            make(&mut vertices);
            ranges[shape as usize] = start..vertices.len() as u32;
        }
        Self { vertices, ranges }
    }

    /// Vertices of a shape; those of a box if the number is unknown.
    pub(crate) fn range(&self, shape: u32) -> Range<u32> {
        self.ranges.get(shape as usize).unwrap_or(&self.ranges[0]).clone()
    }
}

fn push(vertices: &mut Vec<Vertex>, p: Vec3, end: f32, n: Vec3) {
    vertices.push(Vertex { position: p.extend(end).into(), normal: n.extend(0.0).into() });
}

/// The square [−1, 1]² perpendicular to `normal`, shifted by `offset` along it.
fn face(vertices: &mut Vec<Vertex>, normal: Vec3, offset: f32) {
    let u = Vec3::new(normal.y, normal.z, normal.x);
    let v = normal.cross(u);
    for (a, b) in [(-1., -1.), (1., -1.), (1., 1.), (-1., -1.), (1., 1.), (-1., 1.)] {
        push(vertices, offset * normal + a * u + b * v, 0.0, normal);
    }
}

fn cube(vertices: &mut Vec<Vertex>) {
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        face(vertices, axis, 1.0);
        face(vertices, -axis, 1.0);
    }
}

fn ring(k: usize) -> Vec2 {
    Vec2::from_angle(2.0 * PI * (k % AROUND) as f32 / AROUND as f32)
}

/// The unit sphere; `ends` = 1 splits it into the two halves of a capsule.
fn ball(vertices: &mut Vec<Vertex>, ends: f32) {
    for i in 0..ALONG {
        let end = if i < ALONG / 2 { -ends } else { ends };
        for k in 0..AROUND {
            let at = |i: usize, k: usize| {
                let (sin, cos) = (PI * i as f32 / ALONG as f32).sin_cos();
                Vec3::new(sin * ring(k).x, -cos, sin * ring(k).y)
            };
            let quad = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            for corner in [0, 1, 2, 0, 2, 3] {
                push(vertices, quad[corner], end, quad[corner]);
            }
        }
    }
}

/// The side of a cylinder that reaches to ±`height`, or to the ends ±`ends` of a capsule.
fn tube(vertices: &mut Vec<Vertex>, height: f32, ends: f32) {
    for k in 0..AROUND {
        let corner = |k: usize, side: f32| {
            let r = Vec3::new(ring(k).x, 0.0, ring(k).y);
            (r + side * height * Vec3::Y, side * ends, r)
        };
        let quad = [corner(k, -1.0), corner(k, 1.0), corner(k + 1, 1.0), corner(k + 1, -1.0)];
        for c in [0, 1, 2, 0, 2, 3] {
            push(vertices, quad[c].0, quad[c].1, quad[c].2);
        }
    }
}

fn cylinder(vertices: &mut Vec<Vertex>) {
    tube(vertices, 1.0, 0.0);
    for y in [Vec3::NEG_Y, Vec3::Y] {
        for k in 0..AROUND {
            let rim = |k: usize| y + Vec3::new(ring(k).x, 0.0, ring(k).y);
            for p in [y, rim(k), rim(k + 1)] {
                push(vertices, p, 0.0, y);
            }
        }
    }
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
            push(&mut vertices, place(*i), 0.0, smooth.sum::<Vec3>().normalize_or(own));
        }
    }
    vertices
}

/// Edges of a container, as segments relative to the domain's centre; in 2-D only its outline.
pub(crate) fn edges(collider: &Collider, flat: bool) -> Vec<[Vec3; 2]> {
    let (h, r) = (collider.half_extents, collider.radius);
    let mut local = Vec::new();
    let mut circle = |center: Vec3, u: Vec3, v: Vec3| {
        let at = |k| center + r * (ring(k).x * u + ring(k).y * v);
        local.extend((0..AROUND).map(|k| [at(k), at(k + 1)]));
    };
    let up = h.y * Vec3::Y;
    match collider.shape {
        SHAPE_SPHERE if flat => circle(Vec3::ZERO, Vec3::X, Vec3::Y),
        SHAPE_CYLINDER if !flat => {
            circle(up, Vec3::X, Vec3::Z);
            circle(-up, Vec3::X, Vec3::Z);
        }
        SHAPE_CAPSULE if flat => {
            circle(up, Vec3::X, Vec3::Y);
            circle(-up, Vec3::X, Vec3::Y);
        }
        SHAPE_BOX | SHAPE_CYLINDER => {
            let h = if collider.shape == SHAPE_BOX { h } else { Vec3::new(r, h.y, r) };
            let corner = |k: u32| {
                let sign = |bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
                h * Vec3::new(sign(1), sign(2), if flat { 0.0 } else { sign(4) })
            };
            for k in 0..if flat { 4 } else { 8 } {
                for bit in [1, 2, 4] {
                    if k & bit == 0 && !(flat && bit == 4) {
                        local.push([corner(k), corner(k | bit)]);
                    }
                }
            }
        }
        SHAPE_PLANE if flat => local.push([1e3 * Vec3::NEG_X, 1e3 * Vec3::X]),
        _ => {}
    }
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
        for shape in 0..5 {
            let range = shapes.range(shape);
            assert!(!range.is_empty() && range.len().is_multiple_of(3), "shape {shape}: {range:?}");
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
        assert_eq!(edges(&shape, false).len(), 12);
        assert_eq!(edges(&shape, true).len(), 4);
    }
}
