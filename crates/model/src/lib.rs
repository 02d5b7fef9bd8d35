//! Data that the GPU host, the CPU reference and the file formats of meniscus share.
//!
//! * [`scene`], [`methods`] and [`geometry`]: separate crates, re-exported; [`check`]: problems of
//!   a scene;
//! * [`setup`]: a scene converted to the initial data of a simulation: [`Params`], [`Control`],
//!   particles, colliders;
//! * [`params`], [`control`]: the structs that shaders read, laid out by `encase`;
//! * [`marching_cubes`]: the table of cases for meshing a surface;
//! * [`bake`]: grids of signed distances of meshes;
//! * [`state`]: the persistent buffers by name, as read back and as stored in checkpoints.
//!
//! This crate must not depend on wgpu, files, threads or clocks: it compiles for the browser, and
//! the reference implementation is built on it alone.

pub mod bake;
mod cells;
pub mod check;
pub mod colliders;
pub mod control;
pub mod deforming;
pub mod diagnostics;
pub mod distance;
mod extent;
pub mod fixed;
mod grid;
pub mod joints;
mod level_set;
pub mod limits;
pub mod marching_cubes;
pub mod motion;
pub mod params;
pub mod probes;
mod quantities;
pub mod setup;
pub mod shared;
mod smoke;
pub mod solids;
pub mod state;
pub mod surface;
pub mod walls;

pub use cells::{CellField, Cells};
pub use control::Control;
pub use meniscus_geometry::{self as geometry, mesh};
pub use meniscus_methods::{self as methods, kernel};
pub use meniscus_scene::{self as scene, Scene};
pub use params::Params;
pub use quantities::Measured;
pub use setup::Setup;
pub use state::{
    BodyReport, FoamKind, FoamParticle, ForceReport, JointReport, Particle, ParticleKind, SolidId,
    State,
};
