//! Meshes of the scene's boundaries and bodies.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use meniscus_model::mesh::TriangleMesh;
use meniscus_model::scene::{Shape, Vec3};
use meniscus_model::{BodyReport, Scene};

use crate::Mesh;

/// Number of points around an axis, and along a quarter circle.
const AROUND: u32 = 48;
const QUARTER: u32 = 12;

/// Triangles of all boundaries at the start, in m, with outward normals. Planes are infinite and
/// left out; in 2-D there are none.
#[must_use]
pub fn boundary_mesh(scene: &Scene) -> Mesh {
    let mut mesh = Mesh::default();
    if scene.dimensions != 3 {
        return mesh;
    }
    for boundary in &scene.boundaries {
        add(&mut mesh, &triangles(&boundary.shape), DQuat::IDENTITY, DVec3::ZERO);
    }
    mesh
}

/// Triangles of each body in its own axes relative to its centre of mass: its place when it is at
/// the origin and not rotated. None in 2-D.
#[must_use]
pub fn body_meshes(scene: &Scene) -> Vec<Mesh> {
    let own = |shape| {
        let mut mesh = Mesh::default();
        add(&mut mesh, &own_triangles(shape), DQuat::IDENTITY, DVec3::ZERO);
        mesh
    };
    let bodies = scene.bodies.iter().filter(|_| scene.dimensions == 3);
    bodies.map(|body| own(&body.shape)).collect()
}

/// Triangles of all bodies at their current places, in m.
pub(crate) fn posed_bodies(scene: &Scene, now: &[BodyReport]) -> Mesh {
    let mut mesh = Mesh::default();
    for (body, now) in scene.bodies.iter().zip(now).filter(|_| scene.dimensions == 3) {
        let turn = DQuat::from_array(now.rotation).normalize();
        add(&mut mesh, &own_triangles(&body.shape), turn, now.position.into());
    }
    mesh
}

fn add(mesh: &mut Mesh, (points, triangles): &Triangles, turn: DQuat, place: DVec3) {
    let at = |i: u32| turn * DVec3::from(points[i as usize]) + place;
    for [a, b, c] in triangles.iter().map(|t| t.map(at)) {
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Y).as_vec3().to_array();
        let first = mesh.position.len() as u32;
        mesh.position.extend([a, b, c].map(|p| p.as_vec3().to_array()));
        mesh.normal.extend([normal; 3]);
        mesh.triangles.push([first, first + 1, first + 2]);
    }
}

/// Triangles of a body in its own axes.
fn own_triangles(shape: &Shape) -> Triangles {
    let upright = |start: Vec3, end: Vec3| {
        let half = 0.5 * DVec3::from(start).distance(end.into());
        ([0.0, -half, 0.0], [0.0, half, 0.0])
    };
    match *shape {
        Shape::Box { min, max } => {
            let half: Vec3 = std::array::from_fn(|k| 0.5 * (max[k] - min[k]));
            triangles(&Shape::Box { min: half.map(|x| -x), max: half })
        }
        Shape::Sphere { radius, .. } => triangles(&Shape::Sphere { center: [0.0; 3], radius }),
        Shape::Cylinder { start, end, radius } => {
            let (start, end) = upright(start, end);
            triangles(&Shape::Cylinder { start, end, radius })
        }
        Shape::Capsule { start, end, radius } => {
            let (start, end) = upright(start, end);
            triangles(&Shape::Capsule { start, end, radius })
        }
        Shape::Mesh(_) | Shape::Plane { .. } | Shape::Points(_) => {
            let own = shape.mesh().and_then(|solid| solid.as_body());
            own.map_or_else(Triangles::default, |(_, own)| of_mesh(own.mesh()))
        }
    }
}

fn of_mesh(mesh: &TriangleMesh) -> Triangles {
    (mesh.positions().to_vec(), mesh.triangles().to_vec())
}

/// Vertices in m, and vertex indices of triangles.
type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

fn triangles(shape: &Shape) -> Triangles {
    match shape {
        Shape::Mesh(_) => shape.mesh().map_or_else(Triangles::default, |own| of_mesh(own.mesh())),
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
        Shape::Plane { .. } | Shape::Points(_) => Triangles::default(),
    }
}

fn angle(step: u32) -> f64 {
    0.5 * PI * f64::from(step) / f64::from(QUARTER)
}

/// A surface of revolution, from a profile of (height, radius) from the bottom up.
fn turned(origin: DVec3, axis: DVec3, profile: Vec<(f64, f64)>) -> Triangles {
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
            // On the axis a side has no length.
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
    use meniscus_model::Setup;
    use meniscus_model::mesh::Solid;
    use meniscus_model::scene::{Content, Fluid, MeshShape};

    use super::*;

    #[test]
    fn bodies_are_where_the_scene_has_them() {
        let tetrahedron = TriangleMesh::new(
            &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.5]],
            &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
        );
        let tetrahedron = tetrahedron.expect("sound");
        let content = Content::of(Solid::new(tetrahedron.clone()));
        let (start, end, radius) = ([3.0, 0.0, 0.2], [3.5, 0.7, 0.2], 0.3);
        let text = r#"
            [[material]]
            name = "water"
            [[body]]
            density = 500.0
            shape.sphere = { center = [-5.0, 0.0, 0.0], radius = 1.0 }
            [[body]]
            density = 500.0
            shape.sphere = { center = [-5.0, 4.0, 0.0], radius = 1.0 }
        "#;
        let mut scene = crate::scene_from_toml("test", text).expect("sound");
        scene.fluids.push(Fluid::new(Shape::Box { min: [-1.0; 3], max: [-0.5; 3] }));
        scene.bodies[0].shape = Shape::Mesh(MeshShape { content, ..MeshShape::new("") });
        scene.bodies[1].shape = Shape::Cylinder { start, end, radius };
        let setup = Setup::new(&scene).expect("sound");
        let posed = |k: usize| {
            let collider = &setup.colliders[setup.bodies[k].1 as usize];
            BodyReport {
                position: (collider.position.as_dvec3() + setup.center).to_array(),
                rotation: collider.rotation.as_dvec4().to_array(),
                ..BodyReport::default()
            }
        };
        let now = [posed(0), posed(1)];
        let mesh = posed_bodies(&scene, &now);
        let near = |p: DVec3| {
            let distance = |q: &[f32; 3]| DVec3::from(q.map(f64::from)).distance(p);
            mesh.position.iter().map(distance).fold(f64::INFINITY, f64::min)
        };
        for p in tetrahedron.positions() {
            assert!(near((*p).into()) < 1e-5, "{p:?}");
        }
        assert!(near(start.into()) < 1e-5 && near(end.into()) < 1e-5);
        // Body meshes, rotated and moved, equal the world mesh.
        for (own, now) in body_meshes(&scene).iter().zip(&now) {
            let turn = DQuat::from_array(now.rotation);
            for p in &own.position {
                let place = turn * DVec3::from(p.map(f64::from)) + DVec3::from(now.position);
                assert!(near(place) < 1e-5);
            }
        }
    }

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
            // The check would flip an inverted mesh; these must not need that.
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
