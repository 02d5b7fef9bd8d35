//! Bevy's meshes in the way of water, and afloat on it.

use std::collections::BTreeMap;

use bevy::{ecs::query::QueryData, math::Affine3A, mesh::MeshTrianglesError, prelude::*};
use meniscus::{
    Error, KinematicTarget, Scene, Simulation, SolidId,
    glam::{DQuat, DVec3},
    scene::{
        Body, Boundary, Content, MeshShape, Shape,
        mesh::{Solid, TriangleMesh},
    },
};

/// The mesh of this entity is an obstacle for each water that starts after it, and goes along with the entity, without scale. A closed
/// mesh is solid, an open one a sheet. The water starts once the meshes are loaded.
#[derive(Clone, Component, Copy, Debug, Default)]
#[require(WaterSolid)]
#[allow(clippy::exhaustive_structs, reason = "a marker")]
pub struct WaterCollider;

/// The closed mesh of this entity floats or sinks in the water that is its parent: water and gravity move it from where it is when that
/// starts.
#[derive(Clone, Component, Copy, Debug)]
#[require(WaterSolid)]
#[allow(clippy::exhaustive_structs, reason = "it is written in a bundle")]
pub struct WaterBody {
    /// Mass by volume in kg/m³.
    pub density: f64,
}

/// A mesh that water meets.
#[derive(Clone, Component, Copy, Debug, Default)]
pub(crate) struct WaterSolid;

/// What is known of a solid.
#[derive(Debug, QueryData)]
pub(crate) struct Collider {
    entity: Entity,
    mesh: &'static Mesh3d,
    world_from_mesh: &'static GlobalTransform,
    body: Option<&'static WaterBody>,
    parent: Option<&'static ChildOf>,
}

/// A solid at the start of a water, in whose frame it is.
#[derive(Debug)]
pub(crate) struct Start {
    entity: Entity,
    /// Three corners in m for each triangle.
    corners: Vec<[f64; 3]>,
    water_from_mesh: Affine3A,
    /// Of a body.
    density: Option<f64>,
}

impl ColliderItem<'_, '_> {
    /// Whether a water meets it.
    pub(crate) fn is_in(&self, water: Entity) -> bool {
        self.body.is_none() || self.parent.is_some_and(|parent| parent.parent() == water)
    }

    /// What it is, unless its mesh is not loaded yet.
    pub(crate) fn start(
        &self,
        meshes: &Assets<Mesh>,
        water_from_world: Affine3A,
    ) -> Option<Result<Start, String>> {
        let mesh = meshes.get(&self.mesh.0)?;
        let water_from_mesh = water_from_world * self.world_from_mesh.affine();
        let place = |point: Vec3| water_from_mesh.transform_point3(point).as_dvec3().to_array();
        let corners = |mesh: &Mesh| -> Result<Vec<_>, MeshTrianglesError> {
            Ok(mesh.triangles()?.flat_map(|triangle| triangle.vertices.map(place)).collect())
        };
        let (entity, density) = (self.entity, self.body.map(|body| body.density));
        Some(match corners(mesh) {
            Ok(corners) => Ok(Start { entity, corners, water_from_mesh, density }),
            Err(error) => Err(format!("the mesh of {}: {error}", name_of(entity))),
        })
    }
}

/// Name in the scene.
fn name_of(entity: Entity) -> String {
    format!("the solid {entity}")
}

/// The scene with these solids.
pub(crate) fn add(scene: &Scene, solids: &[Start]) -> Result<Scene, String> {
    solids.iter().try_fold(scene.clone(), |scene, Start { entity, corners, density, .. }| {
        let triangles: Vec<_> =
            (0..corners.len() as u32 / 3).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
        let name = name_of(*entity);
        let mesh = TriangleMesh::new(corners, &triangles);
        let mesh = mesh.map_err(|error| format!("the mesh of {name}: {error}"))?;
        let content = Content::of(Solid::new(mesh));
        let shape = Shape::Mesh(MeshShape { content, ..MeshShape::new(name.clone()) });
        Ok(match *density {
            Some(density) => {
                let mut body = Body::new(shape);
                (body.name, body.density) = (Some(name), Some(density));
                scene.with_body(body)
            }
            None => scene.with_boundary(Boundary::obstacle(shape).named(name)),
        })
    })
}

/// Solids of a water that runs, and where they are.
#[derive(Debug, Default)]
pub(crate) struct Solids(BTreeMap<Entity, Placed>);

#[derive(Debug)]
struct Placed {
    is_body: bool,
    /// Where it was at the start, and where the game has it.
    first: Affine3A,
    now: Affine3A,
    /// Number in the simulation, and centre and rotation at the start.
    home: Option<(SolidId, DVec3, DQuat)>,
}

impl Solids {
    pub(crate) fn new(starts: &[Start]) -> Self {
        let of = |start: &Start| {
            let (is_body, first) = (start.density.is_some(), start.water_from_mesh);
            (start.entity, Placed { is_body, first, now: first, home: None })
        };
        Self(starts.iter().map(of).collect())
    }

    /// Notes where the game has a solid.
    pub(crate) fn see(&mut self, solid: &ColliderItem<'_, '_>, water_from_world: Affine3A) {
        if let Some(own) = self.0.get_mut(&solid.entity) {
            own.now = water_from_world * solid.world_from_mesh.affine();
        }
    }

    /// Moves obstacles to where the game has them by the end of the simulation's next frame. Where bodies are: their transforms in the
    /// water's frame.
    pub(crate) fn meet(
        &mut self,
        simulation: &mut Simulation,
    ) -> Result<Vec<(Entity, Transform)>, Error> {
        let mut afloat = Vec::new();
        for (entity, own) in &mut self.0 {
            let (solid, position, rotation) = match own.home {
                Some(home) => home,
                None => {
                    let Some(solid) = simulation.solid(&name_of(*entity)) else { continue };
                    let pose = simulation.place(solid)?.pose;
                    *own.home.insert((solid, pose.position, pose.rotation))
                }
            };
            if own.is_body {
                let pose = simulation.place(solid)?.pose;
                let turn = pose.rotation * rotation.inverse();
                let moved = pose.position - turn * position;
                let [turn, moved] = [turn.to_array(), [moved.x, moved.y, moved.z, 0.0]]
                    .map(|all| all.map(|x| x as f32));
                let moved = Affine3A::from_rotation_translation(
                    Quat::from_array(turn),
                    Vec3::new(moved[0], moved[1], moved[2]),
                );
                afloat.push((*entity, Transform::from_matrix((moved * own.first).into())));
            } else if own.now != own.first || simulation.steered().contains_key(&solid) {
                let (_, turn, moved) =
                    (own.now * own.first.inverse()).to_scale_rotation_translation();
                let turn = DQuat::from_array(turn.to_array().map(f64::from));
                let moved = DVec3::from_array(moved.to_array().map(f64::from));
                let goal = KinematicTarget::new(turn * position + moved, turn * rotation);
                simulation.set_kinematic_target(solid, goal)?;
            }
        }
        Ok(afloat)
    }
}
