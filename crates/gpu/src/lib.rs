//! **meniscus**: SPH fluid simulation in which every stage is a WGSL compute pass.
//!
//! A [`Scene`] is read from a file (crate `meniscus-formats`) or put together in Rust; a
//! [`Simulation`] runs it on a [`Gpu`], a [`FrameReport`] sums it up, a [`Surface`] is its water as a
//! mesh. What waits for the device is `async`, so that a browser can run it; the feature `blocking`
//! has the same for programs that are not. Errors say what and where: [`Error`].
//!
//! ```no_run
//! use meniscus::{Gpu, GpuOptions, Simulation, scene::{Boundary, Fluid, Scene}};
//!
//! # async fn run() -> Result<(), meniscus::Error> {
//! let scene = Scene::new(0.025)
//!     .with_fluid(Fluid::block([0.0, 0.0, 0.0], [0.3, 0.6, 0.3]))
//!     .with_boundary(Boundary::tank([0.0, 0.0, 0.0], [1.0, 1.0, 0.3]));
//! let gpu = Gpu::new(&GpuOptions::default()).await?;
//! let mut simulation = Simulation::new(&gpu, &scene).await?;
//! simulation.run_until(0.1).await?;
//! println!("{} J", simulation.report().await?.kinetic_energy);
//! # Ok(())
//! # }
//! ```
//!
//! Behind it, this crate composes and reflects shaders, binds a solver's list of stages to buffers and
//! records them. Those modules are public for the renderer, the tools and the tests of this workspace;
//! they are hidden from these pages and change without notice. The crate knows neither files, threads
//! nor windows; its only clock is that of submissions, which the browser has as well.

#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub mod blocking;
mod device;
mod error;
#[doc(hidden)]
pub mod machine;
mod pacing;
mod report;
#[doc(hidden)]
pub mod shaders;
mod simulation;
mod splats;
mod surface;
mod timings;

pub use device::{AdapterSummary, Gpu, GpuOptions, Subgroups};
pub use error::{Cause, Error, Failure};
#[doc(hidden)]
pub use meniscus_methods::{arrays as buffers, lists, passes, plan, space, sph, stage, tables};
#[doc(hidden)]
pub use meniscus_model as model;
pub use meniscus_model::{BodyReport, State};
pub use meniscus_scene as scene;
pub use meniscus_scene::Scene;
pub use pacing::SUBMISSION_TIME;
pub use report::FrameReport;
pub use shaders::ShaderError;
pub use simulation::{Pull, Simulation};
pub use splats::Splats;
pub use surface::{Surface, SurfaceMesh, SurfaceOptions};
pub use timings::{PassTime, Timings};
