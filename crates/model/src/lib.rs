//! What the GPU host, the CPU reference and the file formats of meniscus agree on.
//!
//! * [`scene`]: the description of a simulation, in SI units, as people write it;
//! * [`setup`]: a scene turned into numbers: [`Params`], [`Control`], particles, colliders;
//! * [`params`], [`control`]: the structs that shaders read, laid out by `encase`;
//! * [`marching_cubes`]: the table of cases by which a surface is meshed;
//! * [`mesh`]: triangle meshes as solids;
//! * [`state`]: the persistent buffers by name, as read back and as checkpoints hold them.
//!
//! This crate must not know wgpu, files, threads or clocks: it compiles for the browser, and the
//! reference implementation is built on it alone.

pub mod bodies;
pub mod control;
pub mod kernel;
pub mod limits;
pub mod marching_cubes;
pub mod mesh;
pub mod motion;
pub mod params;
pub mod sample;
pub mod scene;
mod scene_check;
pub mod setup;
pub mod state;
pub mod surface;
pub mod walls;

pub use control::Control;
pub use params::Params;
pub use scene::Scene;
pub use setup::Setup;
pub use state::{BodyReport, State};
