//! The list of shapes. A new one needs a file in `shape/` with [`Form`] and [`Kind`], a shader
//! `wgsl/shapes/KEY.wgsl`, and its line in the list below. Shape numbers follow the list.

mod r#box;
mod capsule;
mod cylinder;
mod mesh;
mod plane;
mod points;
mod polygon;
mod sphere;

use std::ops::Deref;

use glam::Vec3 as Vec3f;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Packing, Vec3,
    drawing::Vertex,
    form::{Form, Kind, Size},
    lattice,
};

pub use capsule::rod;

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident($file:ident::$form:ident) = $number:ident),* $(,)?) => {
        $(pub use self::$file::$form;)*

        /// A solid or filled shape. Exactly one kind is given: `shape.box = { min = …, max = … }`.
        /// It implements [`Form`].
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        #[allow(clippy::exhaustive_enums, reason = "its keys are those of scene files")]
        pub enum Shape {
            $($(#[$doc])* $name($form)),*
        }

        /// Shape numbers, as used by colliders.
        pub mod number {
            enum Number {
                $($name),*
            }
            $(
                /// Shape of a collider.
                pub const $number: u32 = Number::$name as u32;
            )*
        }

        impl Shape {
            /// All kinds of shapes, by number.
            pub const KINDS: &[ShapeKind] = &[$(ShapeKind::of::<$form>()),*];

            /// Number of the shape: its index in [`KINDS`](Self::KINDS).
            #[must_use]
            pub fn number(&self) -> u32 {
                match self {
                    $(Self::$name(_) => number::$number),*
                }
            }
        }

        impl Deref for Shape {
            type Target = dyn Form;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$name(form) => form),*
                }
            }
        }

        $(
            impl From<$form> for Shape {
                fn from(form: $form) -> Self {
                    Self::$name(form)
                }
            }
        )*
    };
}

shapes! {
    /// A box between two corners, along the axes.
    Box(r#box::Cuboid) = SHAPE_BOX,
    /// A sphere (a disc in 2-D).
    Sphere(sphere::Sphere) = SHAPE_SPHERE,
    /// A plane; the fluid is on the side that the normal points to.
    Plane(plane::Plane) = SHAPE_PLANE,
    /// A cylinder with flat ends.
    Cylinder(cylinder::Cylinder) = SHAPE_CYLINDER,
    /// A cylinder with round ends.
    Capsule(capsule::Capsule) = SHAPE_CAPSULE,
    /// A triangle mesh.
    Mesh(mesh::MeshShape) = SHAPE_MESH,
    /// Particles of a file; for fluids.
    Points(points::Points) = SHAPE_POINTS,
    /// A polygon of the plane, in 2-D.
    Polygon(polygon::Polygon) = SHAPE_POLYGON,
}

/// A kind of shape: the functions of [`Kind`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ShapeKind {
    /// [`Kind::KEY`].
    pub key: &'static str,
    /// [`Kind::IS_SOLID`].
    pub is_solid: bool,
    /// [`Kind::distance`].
    pub distance: fn(Size, Vec3f) -> f32,
    /// [`Kind::reach`].
    pub reach: fn(Size) -> Option<Vec3f>,
    /// [`Kind::drawn`].
    pub drawn: fn() -> Vec<Vertex>,
    /// [`Kind::outline`].
    pub outline: fn(Size, bool) -> Vec<[Vec3f; 2]>,
}

impl ShapeKind {
    const fn of<K: Kind>() -> Self {
        Self {
            key: K::KEY,
            is_solid: K::IS_SOLID,
            distance: K::distance,
            reach: K::reach,
            drawn: K::drawn,
            outline: K::outline,
        }
    }
}

impl Shape {
    /// Properties of all shapes of its kind.
    #[must_use]
    pub fn kind(&self) -> ShapeKind {
        Self::KINDS[self.number() as usize]
    }

    /// World coordinates in m of the particles that fill it, in this packing if possible, each
    /// moved by up to ± `jitter` · `spacing` per axis depending on `seed`. The same on every run.
    #[must_use]
    pub fn particles(
        &self,
        packing: Packing,
        spacing: f64,
        dimensions: u32,
        jitter: f64,
        seed: u32,
    ) -> Vec<Vec3> {
        let packed = self.fill_packed(packing, spacing, dimensions);
        let mut particles = packed.unwrap_or_else(|| self.fill(spacing, dimensions));
        lattice::shake(&mut particles, spacing, dimensions, jitter, seed);
        particles
    }
}
