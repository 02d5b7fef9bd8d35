//! Triangles and lines for drawing shapes.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

/// Unit of a part of a vertex's position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "the shader knows each")]
pub enum Unit {
    /// Radius of the collider.
    #[default]
    Radius,
    /// 1 m.
    Metre,
    /// Size of everything drawn, at which infinite shapes are cut off.
    Scene,
}

/// Vertex of a drawn shape. The shader (`wgsl/render/solids.wgsl`) places it by the collider's
/// size, in the collider's own axes, at `by_extent` · half extents + `by_unit` · `unit`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "shapes and meshes make it")]
pub struct Vertex {
    /// Position in half extents, per axis.
    pub by_extent: Vec3,
    /// Position in units.
    pub by_unit: Vec3,
    /// Unit.
    pub unit: Unit,
    /// Unit normal.
    pub normal: Vec3,
    /// Whether containers have no pane here if the normal is vertical: boxes are open.
    pub open: bool,
}

const AROUND: usize = 64;
const ALONG: usize = 32;

/// Point of the unit circle.
pub(crate) fn ring(k: usize) -> Vec2 {
    Vec2::from_angle(2.0 * PI * (k % AROUND) as f32 / AROUND as f32)
}

/// Two triangles of the square [−1, 1]² perpendicular to `normal`, shifted by `offset` along it.
pub(crate) fn face(normal: Vec3, offset: f32) -> [Vec3; 6] {
    let u = Vec3::new(normal.y, normal.z, normal.x);
    let v = normal.cross(u);
    [(-1., -1.), (1., -1.), (1., 1.), (-1., -1.), (1., 1.), (-1., 1.)]
        .map(|(a, b)| offset * normal + a * u + b * v)
}

/// The unit sphere, in units of the radius; `ends` half heights are added to the upper half and
/// subtracted from the lower.
pub(crate) fn ball(ends: f32) -> Vec<Vertex> {
    let mut vertices = Vec::new();
    for i in 0..ALONG {
        let end = if i < ALONG / 2 { -ends } else { ends };
        for k in 0..AROUND {
            let at = |i: usize, k: usize| {
                let (sin, cos) = (PI * i as f32 / ALONG as f32).sin_cos();
                Vec3::new(sin * ring(k).x, -cos, sin * ring(k).y)
            };
            let quad = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            vertices.extend([0, 1, 2, 0, 2, 3].map(|corner| Vertex {
                by_extent: end * Vec3::Y,
                by_unit: quad[corner],
                normal: quad[corner],
                ..Vertex::default()
            }));
        }
    }
    vertices
}

/// Side of a cylinder of the half height.
pub(crate) fn tube() -> Vec<Vertex> {
    let mut vertices = Vec::new();
    for k in 0..AROUND {
        let corner = |k: usize, end: f32| {
            let out = Vec3::new(ring(k).x, 0.0, ring(k).y);
            Vertex { by_extent: end * Vec3::Y, by_unit: out, normal: out, ..Vertex::default() }
        };
        let quad = [corner(k, -1.0), corner(k, 1.0), corner(k + 1, 1.0), corner(k + 1, -1.0)];
        vertices.extend([0, 1, 2, 0, 2, 3].map(|c| quad[c]));
    }
    vertices
}

/// Flat ends of a cylinder.
pub(crate) fn caps() -> Vec<Vertex> {
    let mut vertices = Vec::new();
    for end in [Vec3::NEG_Y, Vec3::Y] {
        for k in 0..AROUND {
            let rim = |k: usize| Vec3::new(ring(k).x, 0.0, ring(k).y);
            vertices.extend([Vec3::ZERO, rim(k), rim(k + 1)].map(|by_unit| Vertex {
                by_extent: end,
                by_unit,
                normal: end,
                ..Vertex::default()
            }));
        }
    }
    vertices
}

/// Circle in the plane of two unit vectors.
pub(crate) fn circle(center: Vec3, radius: f32, u: Vec3, v: Vec3) -> Vec<[Vec3; 2]> {
    let at = |k| center + radius * (ring(k).x * u + ring(k).y * v);
    (0..AROUND).map(|k| [at(k), at(k + 1)]).collect()
}

/// Edges of a box with these half extents; of a rectangle if it is flat.
pub(crate) fn box_edges(half: Vec3, flat: bool) -> Vec<[Vec3; 2]> {
    let corner = |k: u32| {
        let sign = |bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
        half * Vec3::new(sign(1), sign(2), if flat { 0.0 } else { sign(4) })
    };
    let mut edges = Vec::new();
    for k in 0..if flat { 4 } else { 8 } {
        for bit in [1, 2, 4] {
            if k & bit == 0 && !(flat && bit == 4) {
                edges.push([corner(k), corner(k | bit)]);
            }
        }
    }
    edges
}

/// Signed distance from the intersection of half-spaces at these distances, negative inside.
pub(crate) fn from_planes(distances: Vec3) -> f32 {
    distances.max(Vec3::ZERO).length() + distances.max_element().min(0.0)
}
