//! Scenes of meniscus: the description of a simulation, in SI units.
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
mod solids;

pub use bodies::body_depth;
pub use check::{MAX_PARTICLES, overlaps};
pub use kernel::Kernel;
pub use meniscus_geometry::{
    Check, Content, Mouth, Packing, Problem, Rotation, Side, Vec3, shape::*,
};
pub use scene::{
    Camera, Domain, Drain, Emitter, Fluid, Force, MAX_FORCE_FIELDS, MAX_MATERIALS, Material, Scene,
    Time,
};
pub use settings::{Settings, Value};
pub use solids::{Body, Boundary, Keyframe, Motion, Response, Turn};
