//! Import of rigid bodies.

use std::path::Path;

use meniscus_model::scene::{
    Body, Boundary, Cuboid, MeshShape, Problem, Rotation, Shape, Side, Vec3,
};

use super::object::Object;
use super::{Found, rotation};

/// A body as described by the file.
#[derive(Clone, Debug)]
pub(super) struct RigidBody {
    /// Mesh file, relative to the scene.
    pub(super) file: String,
    pub(super) scale: Vec3,
    pub(super) rotation: Rotation,
    pub(super) translation: Vec3,
    /// Whether the fluid is inside the body.
    pub(super) wall: bool,
    /// Dynamics, if the fluid moves the body.
    pub(super) dynamic: Option<Dynamic>,
}

/// Dynamics of a body that the fluid moves.
#[derive(Clone, Debug)]
pub(super) struct Dynamic {
    /// Density in kg/m³.
    pub(super) density: f64,
    /// Velocity in m/s.
    pub(super) velocity: Vec3,
    /// Angular velocity in rad/s.
    pub(super) angular_velocity: Vec3,
    /// Coefficient of restitution against walls and bodies.
    pub(super) restitution: f64,
    /// Friction coefficient against walls and bodies.
    pub(super) friction: f64,
}

pub(super) fn read(
    mut object: Object<'_>,
    folder: &Path,
    unread: &mut Vec<String>,
) -> Found<RigidBody> {
    let file = object.string("geometryFile")?.unwrap_or("").to_owned();
    if !folder.join(&file).is_file() {
        let message = format!("there is no mesh file {file:?}");
        return Err(Problem::new(object.key("geometryFile"), message));
    }
    let mut body = RigidBody {
        file,
        scale: object.vector("scale")?.unwrap_or([1.0; 3]),
        rotation: rotation(&mut object)?,
        translation: object.vector("translation")?.unwrap_or([0.0; 3]),
        wall: object.boolean("isWall")?.unwrap_or(false),
        dynamic: None,
    };
    if object.boolean("isDynamic")?.unwrap_or(false) {
        body.dynamic = Some(Dynamic {
            density: object.number("density")?.unwrap_or(1000.0),
            velocity: object.vector("velocity")?.unwrap_or([0.0; 3]),
            angular_velocity: object.vector("angularVelocity")?.unwrap_or([0.0; 3]),
            restitution: object.number("restitution")?.unwrap_or(0.6),
            friction: object.number("friction")?.unwrap_or(0.2),
        });
    }
    object.finish(unread);
    Ok(body)
}

impl RigidBody {
    /// Shape: a box if the mesh is `UnitBox.obj` without rotation, otherwise a mesh.
    pub(super) fn shape(&self) -> Shape {
        let Self { scale, rotation, translation, .. } = *self;
        let unit_box = self.file.rsplit(['/', '\\']).next() == Some("UnitBox.obj");
        if unit_box && rotation.angle == 0.0 {
            // The mesh extends from -1/2 to 1/2.
            let min = std::array::from_fn(|k| translation[k] - 0.5 * scale[k].abs());
            let max = std::array::from_fn(|k| translation[k] + 0.5 * scale[k].abs());
            return Shape::Box(Cuboid { min, max });
        }
        Shape::Mesh(MeshShape { scale, rotation, translation, ..MeshShape::new(&self.file) })
    }

    /// The body as one that the fluid moves. Its drag comes from `viscosityBoundary`, 0 by default.
    pub(super) fn body(&self) -> Option<Body> {
        let moves = self.dynamic.as_ref()?;
        Some(Body {
            density: Some(moves.density),
            velocity: moves.velocity,
            angular_velocity: moves.angular_velocity,
            restitution: moves.restitution,
            friction: moves.friction,
            ..Body::new(self.shape())
        })
    }

    /// The body as a fixed wall or obstacle.
    pub(super) fn boundary(&self) -> Boundary {
        let side = if self.wall { Side::Inside } else { Side::Outside };
        Boundary { side, ..Boundary::container(self.shape()) }
    }
}
