//! The scene's boundaries as one mesh.

use std::f64::consts::PI;

use glam::DVec3;
use meniscus_model::Scene;
use meniscus_model::scene::{Shape, Vec3};

use crate::Mesh;

/// Points around an axis, and along a quarter circle.
const AROUND: u32 = 48;
const QUARTER: u32 = 12;

/// The triangles of all boundaries where they are at the start, in m, each seen from outside its
/// shape. Planes, which have no end, are left out, as are those of scenes in 2 dimensions.
#[must_use]
pub fn boundary_mesh(scene: &Scene) -> Mesh {
    let mut mesh = Mesh::default();
    if scene.dimensions != 3 {
        return mesh;
    }
    for boundary in &scene.boundaries {
        let (points, triangles) = triangles(&boundary.shape);
        for [a, b, c] in triangles.iter().map(|t| t.map(|i| DVec3::from(points[i as usize]))) {
            let normal = (b - a).cross(c - a).normalize_or(DVec3::Y).as_vec3().to_array();
            let first = mesh.position.len() as u32;
            mesh.position.extend([a, b, c].map(|p| p.as_vec3().to_array()));
            mesh.normal.extend([normal; 3]);
            mesh.triangles.push([first, first + 1, first + 2]);
        }
    }
    mesh
}

/// Vertices in m, and three of them for each triangle.
fn triangles(shape: &Shape) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    match shape {
        Shape::Mesh(mesh) => mesh.content.get().map_or((Vec::new(), Vec::new()), |solid| {
            (solid.mesh().positions().to_vec(), solid.mesh().triangles().to_vec())
        }),
        Shape::Box { min, max } => {
            let corner = |k: usize| {
                std::array::from_fn(|axis| if k >> axis & 1 == 0 { min[axis] } else { max[axis] })
            };
            let faces = [
                [0, 2, 3, 1],
                [4, 5, 7, 6],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 4, 6, 2],
                [1, 3, 7, 5],
            ];
            let halves = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
            ((0..8).map(corner).collect(), halves.collect())
        }
        Shape::Sphere { center, radius } => {
            let arc = (0..=2 * QUARTER).map(|k| -0.5 * PI + angle(k));
            let profile = arc.map(|a| (radius * a.sin(), radius * a.cos())).collect();
            turned((*center).into(), DVec3::Y, profile)
        }
        Shape::Cylinder { start, end, radius } => {
            let axis = DVec3::from(*end) - DVec3::from(*start);
            let length = axis.length();
            let profile = vec![(0.0, 0.0), (0.0, *radius), (length, *radius), (length, 0.0)];
            turned((*start).into(), axis, profile)
        }
        Shape::Capsule { start, end, radius } => {
            let axis = DVec3::from(*end) - DVec3::from(*start);
            let cap = |from: f64, shift: f64| {
                let arc = (0..=QUARTER).map(move |k| from + angle(k));
                arc.map(move |a| (shift + radius * a.sin(), radius * a.cos()))
            };
            let profile = cap(-0.5 * PI, 0.0).chain(cap(0.0, axis.length())).collect();
            turned((*start).into(), axis, profile)
        }
        Shape::Plane { .. } | Shape::Points(_) => (Vec::new(), Vec::new()),
    }
}

fn angle(step: u32) -> f64 {
    0.5 * PI * f64::from(step) / f64::from(QUARTER)
}

/// A profile of (height, radius), from the bottom up, turned about an axis.
fn turned(origin: DVec3, axis: DVec3, profile: Vec<(f64, f64)>) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let up = axis.normalize_or(DVec3::Y);
    let (u, v) = up.any_orthonormal_pair();
    let mut points = Vec::new();
    for (height, radius) in &profile {
        for k in 0..AROUND {
            let (sin, cos) = (2.0 * PI * f64::from(k) / f64::from(AROUND)).sin_cos();
            points.push((origin + *height * up + *radius * (cos * u + sin * v)).to_array());
        }
    }
    let mut triangles = Vec::new();
    for (i, pair) in profile.windows(2).enumerate() {
        for k in 0..AROUND {
            let at = |row: u32, k: u32| (i as u32 + row) * AROUND + k % AROUND;
            let quad = [at(0, k), at(0, k + 1), at(1, k + 1), at(1, k)];
            // At the ends of the axis a side has no length.
            if pair[0].1 > 1e-12 {
                triangles.push([quad[0], quad[1], quad[2]]);
            }
            if pair[1].1 > 1e-12 {
                triangles.push([quad[0], quad[2], quad[3]]);
            }
        }
    }
    (points, triangles)
}

#[cfg(test)]
mod tests {
    use meniscus_model::mesh::TriangleMesh;

    use super::*;

    #[test]
    fn shapes_are_closed_and_seen_from_outside() {
        let (start, end, radius) = ([0.1, 0.0, 0.2], [0.5, 0.7, 0.2], 0.3);
        let length = DVec3::from(start).distance(end.into());
        let ball = 4.0 / 3.0 * PI * radius * radius * radius;
        let shaft = PI * radius * radius * length;
        for (shape, volume) in [
            (Shape::Box { min: [0.0; 3], max: [1.0, 2.0, 3.0] }, 6.0),
            (Shape::Sphere { center: start, radius }, ball),
            (Shape::Cylinder { start, end, radius }, shaft),
            (Shape::Capsule { start, end, radius }, shaft + ball),
        ] {
            let (points, triangles) = triangles(&shape);
            let mesh = TriangleMesh::new(&points, &triangles).expect("sound");
            assert!(mesh.is_closed(), "{shape:?}");
            assert!((mesh.volume() / volume - 1.0).abs() < 0.01, "{shape:?}: {}", mesh.volume());
            // The check turns inverted meshes round: these need none.
            assert_eq!(mesh.triangles().len(), triangles.len());
            let mut scene = Scene::default();
            scene.boundaries.push(meniscus_model::scene::Boundary {
                shape,
                side: meniscus_model::scene::Side::Inside,
                velocity: [0.0; 3],
                motion: Vec::new(),
                response: None,
            });
            let written = boundary_mesh(&scene);
            let signed: f64 = written
                .triangles
                .iter()
                .map(|t| {
                    let [a, b, c] =
                        t.map(|i| DVec3::from(written.position[i as usize].map(f64::from)));
                    a.dot(b.cross(c)) / 6.0
                })
                .sum();
            assert!((signed / volume - 1.0).abs() < 0.01, "{signed}");
        }
    }
}
