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

pub use bodies::body_depth;
pub use check::{MAX_PARTICLES, overlaps};
pub use meniscus_geometry::{
    Content, MeshShape, Mouth, Packing, Points, Problem, Rotation, Shape, Side, Vec3,
};
pub use methods::{Density, Dfsph, Iterations, Kernel, Muller, Solver, Wcsph};
pub use scene::{
    Body, Boundary, Camera, Domain, Drain, Emitter, Fluid, Force, Keyframe, MAX_FORCE_FIELDS,
    MAX_MATERIALS, Material, Motion, Response, Scene, Time, Turn,
};
