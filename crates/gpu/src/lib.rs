//! **meniscus**: fluids on the GPU, in which every stage is a WGSL compute pass: liquids by SPH (Müller's, WCSPH, PCISPH, IISPH,
//! DFSPH), with viscosity, surface tension and rigid bodies; water, jelly, snow, sand and pastes as material points; liquids on a
//! grid (PIC, FLIP, APIC, `PolyPIC`, Eulerian); smoke and fire; foam, spray and bubbles beside liquids.
//!
//! A [`Scene`] is read from a file (crate `meniscus-formats`) or built in Rust; a [`Simulation`]
//! runs it on a [`Gpu`]; a [`FrameReport`] has its diagnostics, and a [`FluidMesh`] the mesh of its
//! surface. Functions that wait for the device are `async`, so that a browser can run them; the
//! feature `blocking` provides the same API for other programs, and the feature `files` reads scene files (`load`). An [`Error`] says what is wrong,
//! and where.
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
//! A scene takes any method by its name, here the same water by FLIP, a block of jelly, and hot smoke:
//!
//! ```
//! use meniscus::{check, scene::{Boundary, Domain, Fluid, Material, Scene, Shape, Source, Sphere}};
//!
//! let domain = Domain { min: [0.0; 3], max: [1.0; 3], periodic: [false; 3] };
//! let tank = || Boundary::tank([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]);
//! let mut flip = Scene::new(0.025)
//!     .with_fluid(Fluid::block([0.0, 0.0, 0.0], [0.3, 0.6, 0.3]))
//!     .with_boundary(tank())
//!     .with_solver("flip");
//! flip.domain = Some(domain.clone());
//!
//! let mut jelly = flip.clone().with_solver("mls_mpm");
//! jelly.materials = vec![Material::new("jelly").with_model("jelly").with("youngs_modulus", 1e5)];
//!
//! let ball = Shape::Sphere(Sphere { center: [0.5, 0.2, 0.5], radius: 0.1 });
//! let source = Source { temperature: 60.0, ..Source::new(ball) };
//! let mut smoke = Scene::new(0.025).with_source(source).with_boundary(tank()).with_solver("stable_fluids");
//! smoke.domain = Some(domain);
//!
//! for scene in [flip, jelly, smoke] {
//!     check(&scene)?;
//! }
//! # Ok::<(), meniscus::Error>(())
//! ```
//!
//! Methods of one's own are added to a [`Registry`]: [`methods`] has what they are made of, and `examples/own_method` is one.
//!
//! Renderers, tools and tests that need more than a simulation's results use [`raw`], which changes more often than the rest. The crate does
//! not depend on files, threads or windows; its only clock measures submissions, and exists in
//! browsers as well.

#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub mod blocking;
/// The examples of the repository's README and of this crate's compile as they stand.
#[cfg(all(doctest, feature = "blocking"))]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../README.md")]
mod readme {}
mod coupling;
mod device;
mod error;
#[cfg(feature = "files")]
mod files;
mod machine;
mod pacing;
mod problems;
pub mod raw;
mod report;
mod shaders;
mod simulation;
mod splats;
mod surface;
mod timings;
mod watch;

/// The vectors of this crate's signatures.
pub use glam;
/// The graphics of this crate's signatures.
pub use wgpu;

pub use coupling::{Coupling, Real};
pub use device::{AdapterSummary, Gpu, GpuOptions, Subgroups};
pub use error::{Cause, Error, Failure};
#[cfg(feature = "files")]
pub use files::load;
/// Scene files with options and warnings, and files of particles, meshes and logs.
#[cfg(feature = "files")]
pub use meniscus_formats as formats;
/// Methods as data: what one's own are made of ([`Method`](methods::Method), its keys, arrays, passes and stages), and the
/// [`Registry`] that takes them in, for [`Simulation::with_methods`].
pub use meniscus_methods as methods;
pub use meniscus_methods::{Quantity, Registry};
pub use meniscus_model::motion::{Movement, Pose};
pub use meniscus_model::{
    BodyReport, CellField, Cells, FoamKind, FoamParticle, ForceReport, JointReport, Measured,
    Particle, ParticleKind, SolidId, State,
};
pub use meniscus_scene as scene;
pub use meniscus_scene::Scene;
pub use meniscus_scene::{Problem, ProblemKind};
pub use pacing::SUBMISSION_TIME;
pub use problems::check;
pub use report::{FoamReport, FrameReport, OpeningReport};
pub use shaders::{ShaderError, Shaders};
pub use simulation::{
    Budget, FluidAt, ForceField, KinematicTarget, MAX_QUERIES, Particles, Progress, Pull, Queried,
    Query, QueryBuffers, Shown, ShownFoam, ShownParticle, Simulation,
};
pub use splats::Splats;
pub use surface::{FluidMesh, SurfaceMesh, SurfaceOptions};
pub use timings::{PassTime, Timings};
pub use watch::Watch;
