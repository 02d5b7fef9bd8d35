//! Meshes of the scene's boundaries and bodies.

use glam::{DQuat, DVec3};
use meniscus_methods::{Registry, mpm::materials::Look};
use meniscus_model::scene::{Boundary, Side, Vec3};
use meniscus_model::{BodyReport, Scene};

use crate::{Mesh, meshes::Glass};

/// Colour of solids as sRGB.
pub(crate) const GREY: [f64; 3] = [0.6, 0.6, 0.62];

/// Each boundary at the start, in m, as the mesh of its name, or else `boundary_1`, `boundary_2`, … by its number in the scene. Planes are
/// infinite and left out; in 2-D there are none.
#[must_use]
pub fn boundary_meshes(scene: &Scene) -> Vec<(&Boundary, Mesh)> {
    let boundaries = scene.boundaries.iter().enumerate().filter(|_| scene.dimensions == 3);
    let meshes = boundaries.map(|(i, boundary)| {
        let name = boundary.name.clone().unwrap_or_else(|| format!("boundary_{}", i + 1));
        (boundary, solid(&name, &boundary.shape.triangles(), DQuat::IDENTITY, DVec3::ZERO))
    });
    meshes.filter(|(_, mesh)| !mesh.triangles.is_empty()).collect()
}

/// Triangles of each body in its own axes relative to its centre of mass: its place when it is at
/// the origin and not rotated. None in 2-D.
#[must_use]
pub fn body_meshes(scene: &Scene) -> Vec<Mesh> {
    let bodies = scene.bodies.iter().enumerate().filter(|_| scene.dimensions == 3);
    let own = bodies.map(|(k, body)| {
        let triangles = body.shape.own_triangles();
        solid(&body.name_or_number(k), &triangles, DQuat::IDENTITY, DVec3::ZERO)
    });
    own.collect()
}

/// Each body at its current place, in m.
pub(crate) fn posed_bodies(scene: &Scene, now: &[BodyReport]) -> Vec<Mesh> {
    let bodies = scene.bodies.iter().zip(now).filter(|_| scene.dimensions == 3);
    let posed = bodies.map(|(body, now)| {
        let turn = DQuat::from_array(now.rotation).normalize();
        solid(&now.name, &body.shape.own_triangles(), turn, now.position.into())
    });
    posed.collect()
}

/// A surface under the name and in the colour of the material of this number.
#[must_use]
pub fn fluid_mesh(scene: &Scene, material: u32, mesh: Mesh) -> Mesh {
    match scene.materials.get(material as usize) {
        Some(material) => {
            let model = Registry::standard().model(material).ok();
            let solid = model.filter(|model| model.look != Look::Liquid);
            let glass = solid.is_none().then(|| Glass::of(scene, material));
            let color = material.color.or(solid.map(|model| model.color));
            Mesh { glass, ..mesh.named(&material.name, color) }
        }
        None => mesh.named("fluid", None),
    }
}

/// Moves vertices of a fluid's surface that are up to two spacings behind a wall at rest onto it: a surface from particles is
/// rounder than walls, and lies up to a third of a spacing behind them.
pub fn keep_inside(scene: &Scene, mesh: &mut Mesh) {
    let (spacing, tiny) = (scene.spacing(), 1e-3 * scene.spacing());
    let rests = |wall: &&Boundary| {
        wall.velocity == [0.0; 3] && wall.motion.is_empty() && !wall.shape.is_sheet()
    };
    for wall in scene.boundaries.iter().filter(rests) {
        let sign = if wall.side == Side::Inside { 1.0 } else { -1.0 };
        let depth = |p: DVec3| sign * wall.shape.depth(p, 3);
        for vertex in &mut mesh.position {
            let mut p = DVec3::from(vertex.map(f64::from));
            // An edge takes two steps, a corner three.
            for _ in 0..3 {
                let own = depth(p);
                if own >= 0.0 || own < -2.0 * spacing {
                    break;
                }
                let slope = [DVec3::X, DVec3::Y, DVec3::Z]
                    .map(|axis| depth(p + tiny * axis) - depth(p - tiny * axis));
                let Some(inwards) = DVec3::from(slope).try_normalize() else { break };
                p -= own * inwards;
            }
            *vertex = p.as_vec3().to_array();
        }
    }
}

/// A solid with shared vertices and flat triangles.
fn solid(
    name: &str,
    (points, triangles): &(Vec<Vec3>, Vec<[u32; 3]>),
    turn: DQuat,
    place: DVec3,
) -> Mesh {
    let at = |p: &Vec3| (turn * DVec3::from(*p) + place).as_vec3().to_array();
    Mesh::new(points.iter().map(at).collect(), Vec::new(), triangles.clone())
        .named(name, Some(GREY))
}

#[cfg(test)]
mod tests {
    use meniscus_model::Setup;
    use meniscus_model::mesh::{Solid, TriangleMesh};
    use meniscus_model::scene::{Content, Cuboid, Cylinder, Fluid, MeshShape, Shape};

    use super::*;

    #[test]
    fn a_surface_is_kept_inside_walls_and_outside_obstacles() {
        let text = r#"
            particle_radius = 0.01
            [[material]]
            name = "water"
            [[boundary]]
            shape.box = { min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 1.0] }
            [[boundary]]
            side = "outside"
            shape.sphere = { center = [0.5, 0.0, 0.5], radius = 0.2 }
        "#;
        let scene = crate::scene_from_toml("test", text).expect("sound");
        // Behind a face, an edge and a corner, in the obstacle, inside, and far away.
        let position = vec![
            [-0.005, 0.4, 0.4],
            [-0.005, -0.004, 0.9],
            [1.003, 1.002, 1.001],
            [0.5, 0.197, 0.5],
            [0.2, 0.3, 0.4],
            [3.0, 0.5, 0.5],
        ];
        let mut mesh = Mesh::new(position, Vec::new(), Vec::new());
        keep_inside(&scene, &mut mesh);
        let expected = [
            [0.0, 0.4, 0.4],
            [0.0, 0.0, 0.9],
            [1.0, 1.0, 1.0],
            [0.5, 0.2, 0.5],
            [0.2, 0.3, 0.4],
            [3.0, 0.5, 0.5],
        ];
        for (found, expected) in mesh.position.iter().zip(expected) {
            let apart = DVec3::from(found.map(f64::from)).distance(DVec3::from(expected));
            assert!(apart < 1e-4, "{found:?} for {expected:?}");
        }
    }

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
            name = "a cork"
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
        let posed = posed_bodies(&scene, &now);
        let names: Vec<_> = body_meshes(&scene).into_iter().map(|mesh| mesh.name).collect();
        assert_eq!(names, ["a cork", "body_2"]);
        let near = |p: DVec3| {
            let distance = |q: &[f32; 3]| DVec3::from(q.map(f64::from)).distance(p);
            let all = posed.iter().flat_map(|mesh| &mesh.position);
            all.map(distance).fold(f64::INFINITY, f64::min)
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
