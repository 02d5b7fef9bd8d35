//! Geometry of meniscus: shapes of scene files and triangle meshes, in f64 and SI units.
//!
//! * [`shape`]: the shapes that a scene can name, with their serde keys;
//! * [`sample`]: particles that fill shapes, depths below their surfaces, boxes about them;
//! * [`layer`]: boundary particles behind their surfaces;
//! * [`filled`]: volume and moments of inertia;
//! * [`mesh`]: triangle meshes as solids.
//!
//! This crate knows neither scenes, fluids and kernels nor the GPU.

pub mod filled;
pub mod layer;
pub mod mesh;
mod problem;
pub mod sample;
pub mod shape;

pub use filled::principal_axes;
pub use problem::Problem;
pub use shape::{Content, MeshShape, Mouth, Packing, Points, Rotation, Shape, Side, Vec3};
