//! Bevy's meshes in the way of water.

use bevy::{ecs::query::QueryData, math::Affine3A, mesh::MeshTrianglesError, prelude::*};
use meniscus::{
    Scene,
    model::mesh::{Solid, TriangleMesh},
    scene::{Boundary, Content, MeshShape, Shape},
};

/// The mesh of this entity is an obstacle for each water that starts after it, where it is then. A closed mesh is solid, an open one a
/// sheet. The water starts once the meshes are loaded.
#[derive(Clone, Component, Copy, Debug, Default)]
#[allow(clippy::exhaustive_structs, reason = "a marker")]
pub struct WaterCollider;

/// What is known of a collider.
#[derive(Debug, QueryData)]
pub(crate) struct Collider {
    entity: Entity,
    mesh: &'static Mesh3d,
    world_from_mesh: &'static GlobalTransform,
}

/// A collider's triangles in the frame of a water: three corners in m for each.
pub(crate) struct Triangles {
    entity: Entity,
    corners: Vec<[f64; 3]>,
}

impl ColliderItem<'_, '_> {
    /// Its triangles, unless its mesh is not loaded yet.
    pub(crate) fn triangles(
        &self,
        meshes: &Assets<Mesh>,
        water_from_world: Affine3A,
    ) -> Option<Result<Triangles, String>> {
        let mesh = meshes.get(&self.mesh.0)?;
        let water_from_mesh = water_from_world * self.world_from_mesh.affine();
        let place = |point: Vec3| water_from_mesh.transform_point3(point).as_dvec3().to_array();
        let corners = |mesh: &Mesh| -> Result<Vec<_>, MeshTrianglesError> {
            Ok(mesh.triangles()?.flat_map(|triangle| triangle.vertices.map(place)).collect())
        };
        let wrong = |error| format!("the mesh of the collider {}: {error}", self.entity);
        Some(match corners(mesh) {
            Ok(corners) => Ok(Triangles { entity: self.entity, corners }),
            Err(error) => Err(wrong(error)),
        })
    }
}

/// The scene with these obstacles.
pub(crate) fn add(scene: &Scene, colliders: &[Triangles]) -> Result<Scene, String> {
    colliders.iter().try_fold(scene.clone(), |scene, Triangles { entity, corners }| {
        let triangles: Vec<_> =
            (0..corners.len() as u32 / 3).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
        let name = format!("the collider {entity}");
        let mesh = TriangleMesh::new(corners, &triangles);
        let mesh = mesh.map_err(|error| format!("the mesh of {name}: {error}"))?;
        let content = Content::of(Solid::new(mesh));
        let shape = Shape::Mesh(MeshShape { content, ..MeshShape::new(name.clone()) });
        Ok(scene.with_boundary(Boundary::obstacle(shape).named(name)))
    })
}
