//! Scenes of meniscus: the description of a simulation as people write it, in SI units.
//!
//! * [`Scene`] and its parts, which serde reads and writes;
//! * [`Solver`], [`Kernel`] and the tables of the methods' keys;
//! * [`check`]: what is wrong with a scene, each [`Problem`] with the path of the key at fault.
//!
//! Shapes are those of [`meniscus_geometry`]. This crate knows neither files nor the GPU, and no
//! method but by its keys: checks that need speeds and time steps are in `meniscus_model::check`.

mod bodies;
mod build;
pub mod check;
mod methods;
mod scene;
mod solids;

pub use bodies::body_depth;
pub use check::{MAX_PARTICLES, overlaps};
pub use meniscus_geometry::{
    Check, Content, Mouth, Packing, Problem, Rotation, Side, Vec3, shape::*,
};
pub use methods::{Density, Dfsph, Iterations, Kernel, Muller, Solver, Wcsph};
pub use scene::{
    Camera, Domain, Drain, Emitter, Fluid, Force, MAX_FORCE_FIELDS, MAX_MATERIALS, Material, Scene,
    Time,
};
pub use solids::{Body, Boundary, Keyframe, Motion, Response, Turn};
