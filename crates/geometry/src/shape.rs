//! The shapes of scene files, as serde reads and writes them.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mesh::{Solid, TriangleMesh};

/// A vector in metres, metres per second, … as the key says.
pub type Vec3 = [f64; 3];

/// A solid or filled shape. Exactly one of them is named: `shape.box = { min = …, max = … }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// A box between two corners, along the axes.
    Box {
        /// Lower corner in m.
        min: Vec3,
        /// Upper corner in m.
        max: Vec3,
    },
    /// A sphere (a disc in 2-D).
    Sphere {
        /// Centre in m.
        center: Vec3,
        /// Radius in m.
        radius: f64,
    },
    /// A plane; the fluid is on the side that the normal points to.
    Plane {
        /// A point on it, in m.
        point: Vec3,
        /// Normal, of any length but 0.
        normal: Vec3,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Centre of one end in m.
        start: Vec3,
        /// Centre of the other end in m.
        end: Vec3,
        /// Radius in m.
        radius: f64,
    },
    /// A triangle mesh.
    Mesh(MeshShape),
    /// The very particles of a file; for fluids.
    Points(Points),
    /// A cylinder with round ends.
    Capsule {
        /// Centre of one end's hemisphere in m.
        start: Vec3,
        /// Centre of the other end's hemisphere in m.
        end: Vec3,
        /// Radius in m.
        radius: f64,
    },
}

impl Shape {
    /// The solid of a mesh that was read.
    #[must_use]
    pub fn mesh(&self) -> Option<&Arc<Solid>> {
        match self {
            Self::Mesh(mesh) => mesh.content.get(),
            _ => None,
        }
    }
}

/// A turn about an axis through the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// Direction of the axis, of any length but 0.
    pub axis: Vec3,
    /// Degrees, counter-clockwise as seen from the axis' end.
    pub angle: f64,
}

impl Default for Rotation {
    fn default() -> Self {
        Self { axis: [0.0, 1.0, 0.0], angle: 0.0 }
    }
}

/// What the file that a scene names held when it was read. Scenes that name the same files are
/// equal.
#[derive(Debug)]
pub struct Content<T>(Option<Arc<T>>);

impl<T> Clone for Content<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Content<T> {
    /// Content that was read.
    #[must_use]
    pub fn of(content: T) -> Self {
        Self(Some(Arc::new(content)))
    }

    /// The content, once it was read.
    #[must_use]
    pub fn get(&self) -> Option<&Arc<T>> {
        self.0.as_ref()
    }
}

impl<T> Default for Content<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> PartialEq for Content<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

fn unscaled() -> Vec3 {
    [1.0; 3]
}

/// A triangle mesh, scaled, then turned, then moved. A closed one is a solid; an open one is a sheet
/// one particle spacing thick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshShape {
    /// Its file (OBJ, PLY, STL, glTF), in m; the path is relative to the scene's.
    pub file: String,
    /// Factors along the file's axes.
    #[serde(default = "unscaled")]
    pub scale: Vec3,
    /// How it is turned.
    #[serde(default)]
    pub rotation: Rotation,
    /// How far it is moved, in m.
    #[serde(default)]
    pub translation: Vec3,
    /// The file's triangles, placed ([`MeshShape::fill_in`]).
    #[serde(skip)]
    pub content: Content<Solid>,
}

impl MeshShape {
    /// A mesh as its file has it, whose content is still to be read.
    #[must_use]
    pub fn new(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            scale: unscaled(),
            rotation: Rotation::default(),
            translation: [0.0; 3],
            content: Content::default(),
        }
    }

    /// Places the triangles that the file held. Again after any change of the place.
    pub fn fill_in(&mut self, mesh: &TriangleMesh) {
        let Rotation { axis, angle } = self.rotation;
        let placed = mesh.placed(self.scale, axis, angle.to_radians(), self.translation);
        self.content = Content::of(Solid::new(placed));
    }
}

/// Particles of a file, scaled, then turned, then moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Its file (BGEO, PLY, CSV), in m; the path is relative to the scene's.
    pub file: String,
    /// Factors along the file's axes.
    #[serde(default = "unscaled")]
    pub scale: Vec3,
    /// How they are turned.
    #[serde(default)]
    pub rotation: Rotation,
    /// How far they are moved, in m.
    #[serde(default)]
    pub translation: Vec3,
    /// The file's particles, placed ([`Points::fill_in`]).
    #[serde(skip)]
    pub content: Content<Vec<Vec3>>,
}

impl Points {
    /// Places the points that the file held. Again after any change of the place.
    pub fn fill_in(&mut self, points: &[Vec3]) {
        let axis = DVec3::from(self.rotation.axis).normalize_or(DVec3::Y);
        let turn = DQuat::from_axis_angle(axis, self.rotation.angle.to_radians());
        let (scale, move_by) = (DVec3::from(self.scale), DVec3::from(self.translation));
        let place = |p: &Vec3| (turn * (DVec3::from(*p) * scale) + move_by).to_array();
        self.content = Content::of(points.iter().map(place).collect());
    }
}

/// How the particles of a box of fluid lie at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// A cubic (square) lattice.
    #[default]
    Cubic,
    /// Square layers, each √3/2 spacings above the last and moved by half a spacing in x and z.
    Staggered,
    /// Nearly the densest: layers √3/2 spacings apart, their rows √6/3 spacings apart.
    Hexagonal,
}

/// On which side of a boundary the fluid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The shape is a container.
    Inside,
    /// The shape is an obstacle.
    Outside,
}

/// The mouth of an emitter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Mouth {
    /// A rectangle, in m.
    Rectangle {
        /// Width in m.
        width: f64,
        /// Height in m (ignored in 2-D).
        height: f64,
    },
    /// A circle, in m.
    Circle {
        /// Radius in m.
        radius: f64,
    },
    /// A square lattice of particles, cut to a circle.
    Disc {
        /// Particles across it.
        across: u32,
    },
}
