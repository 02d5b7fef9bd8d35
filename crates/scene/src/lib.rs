//! Scenes of meniscus: the description of a simulation as people write it, in SI units.
//!
//! * [`Scene`] and its parts, which serde reads and writes;
//! * [`Settings`]: values of the methods' keys, by name;
//! * [`check`]: what is wrong with a scene, each [`Problem`] with the path of the key at fault.
//!
//! Shapes are those of [`meniscus_geometry`]. This crate knows neither files nor the GPU, and no
//! method: what keys methods have is checked in `meniscus_methods`, speeds and time steps in `meniscus_model`.

mod bodies;
mod build;
pub mod check;
mod kernel;
mod scene;
mod settings;

pub use bodies::body_depth;
pub use check::{MAX_PARTICLES, overlaps};
pub use kernel::Kernel;
pub use meniscus_geometry::{
    Content, MeshShape, Mouth, Packing, Points, Problem, Rotation, Shape, Side, Vec3,
};
pub use scene::{
    Body, Boundary, Camera, Domain, Drain, Emitter, Fluid, Force, Keyframe, MAX_FORCE_FIELDS,
    MAX_MATERIALS, Material, Motion, Response, Scene, Time, Turn,
};
pub use settings::{Settings, Value};
