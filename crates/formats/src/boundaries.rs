//! Meshes of the scene's boundaries and bodies.

use glam::{DQuat, DVec3};
use meniscus_model::scene::{Shape, Vec3};
use meniscus_model::{BodyReport, Scene};

use crate::Mesh;

/// Triangles of all boundaries at the start, in m, with outward normals. Planes are infinite and
/// left out; in 2-D there are none.
#[must_use]
pub fn boundary_mesh(scene: &Scene) -> Mesh {
    let mut mesh = Mesh::default();
    if scene.dimensions != 3 {
        return mesh;
    }
    for boundary in &scene.boundaries {
        add(&mut mesh, &boundary.shape.triangles(), DQuat::IDENTITY, DVec3::ZERO);
    }
    mesh
}

/// Triangles of each body in its own axes relative to its centre of mass: its place when it is at
/// the origin and not rotated. None in 2-D.
#[must_use]
pub fn body_meshes(scene: &Scene) -> Vec<Mesh> {
    let own = |shape: &Shape| {
        let mut mesh = Mesh::default();
        add(&mut mesh, &shape.own_triangles(), DQuat::IDENTITY, DVec3::ZERO);
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
        add(&mut mesh, &body.shape.own_triangles(), turn, now.position.into());
    }
    mesh
}

fn add(
    mesh: &mut Mesh,
    (points, triangles): &(Vec<Vec3>, Vec<[u32; 3]>),
    turn: DQuat,
    place: DVec3,
) {
    let at = |i: u32| turn * DVec3::from(points[i as usize]) + place;
    for [a, b, c] in triangles.iter().map(|t| t.map(at)) {
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Y).as_vec3().to_array();
        let first = mesh.position.len() as u32;
        mesh.position.extend([a, b, c].map(|p| p.as_vec3().to_array()));
        mesh.normal.extend([normal; 3]);
        mesh.triangles.push([first, first + 1, first + 2]);
    }
}

#[cfg(test)]
mod tests {
    use meniscus_model::Setup;
    use meniscus_model::mesh::{Solid, TriangleMesh};
    use meniscus_model::scene::{Content, Cuboid, Cylinder, Fluid, MeshShape};

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
        scene.fluids.push(Fluid::new(Shape::Box(Cuboid { min: [-1.0; 3], max: [-0.5; 3] })));
        scene.bodies[0].shape = Shape::Mesh(MeshShape { content, ..MeshShape::new("") });
        scene.bodies[1].shape = Shape::Cylinder(Cylinder { start, end, radius });
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
}
