//! **meniscus**: SPH fluid simulation in which every stage is a WGSL compute pass.
//!
//! This crate is the host: it composes and reflects shaders ([`shaders`]), knows the passes and
//! buffers by name ([`passes`], [`buffers`]), turns a solver's list of stages into recorded
//! commands ([`stage`], [`lists`], [`machine`]) and runs scenes ([`Simulation`]). It must not
//! know files, clocks, threads or windows: what waits is `async`, so that a browser can run it.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use meniscus::{Gpu, GpuOptions, Simulation};
//!
//! let scene = meniscus_formats::load_scene("dam_break", &Default::default())?.scene;
//! pollster::block_on(async {
//!     let gpu = Gpu::new(&GpuOptions::default()).await?;
//!     let mut simulation = Simulation::new(&gpu, &scene).await?;
//!     simulation.run_until(0.1).await?;
//!     let state = simulation.read().await?;
//!     println!("{} particles, the first at {:?} m", state.particle_count(), state.world_position(0));
//!     Ok(())
//! })
//! # }
//! ```

#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub mod blocking;
mod device;
mod error;
pub mod machine;
mod pacing;
pub mod shaders;
mod simulation;
mod splats;
mod surface;
mod timings;

pub use device::{AdapterSummary, Gpu, GpuOptions, Subgroups};
pub use error::Error;
pub use meniscus_methods::{arrays as buffers, lists, passes, sph, stage};
pub use meniscus_model as model;
pub use meniscus_model::BodyReport;
pub use pacing::SUBMISSION_TIME;
pub use simulation::{FrameReport, Pull, Simulation};
pub use splats::Splats;
pub use surface::{Surface, SurfaceMesh, SurfaceOptions};
pub use timings::{PassTime, Timings};
