//! The CPU twin of every WGSL pass of meniscus, in f64 and by brute force.
//!
//! A pass `wgsl/sph/density.wgsl` has its twin in `sph.rs`: each `pub(crate) fn NAME(world: &mut World)` is the twin of the pass
//! `FOLDER/NAME`, whose folder the first comment of its file names, or of the pass that its own comment names ([`PASSES`]). The conformance tests give both sides the same bits and compare their output. So a twin
//! follows the paper's formula, not the shader: neighbours are found by testing every pair, kernel
//! constants are computed here, and simplicity is preferred to speed. Only integers that must be
//! exact (grid cells, the clock's end of step) are computed in f32.
//!
//! This crate must not depend on wgpu, shaders, files or the host; it shares with the product only
//! the structs of `meniscus-model` that both sides read. The product must not depend on it.

mod body;
mod check;
mod conjugate;
mod contacts;
mod dfsph;
mod diagnostics;
mod diffusion;
mod emit;
mod faces;
mod field;
mod foam;
mod gas;
mod grid;
mod held;
mod implicit;
mod incompressible;
mod integrate;
pub mod interpret;
mod joints;
pub mod kernels;
mod level_markers;
mod levelset;
mod levers;
mod liquid;
mod liquid_tension;
mod materials;
mod mpm;
mod muller;
mod multigrid;
mod neighbours;
mod openings;
mod pairs;
mod pcisph;
mod poisson;
mod query;
mod reduce;
mod remove;
mod repeat;
mod scene;
mod shifting;
mod smoke;
mod solid;
mod sort;
mod space;
mod spawn;
mod sph;
mod storage;
mod stress;
mod surface;
mod surface_level;
mod tension;
mod terms;
mod time;
mod twins;
mod viscosity;
mod volume;
mod wcsph;
mod world;

pub use diagnostics::BLOCKS as DIAGNOSTICS_BLOCKS;
pub use interpret::{Interpreter, Perform, Walk};
pub use materials::{MATERIALS, Material, Response, Strain};
pub use mpm::{Singular, singular};
pub use pairs::Pair;
pub use reduce::BLOCK as REDUCE_BLOCK;
pub use scene::Replica;
pub use storage::{Array, Storage, Values};
pub use terms::Term;
pub use twins::{Twin, Twins, run};
pub use world::{StageNumbers, World};

/// All twins by the names of their passes, which `build.rs` finds in the sources.
pub const PASSES: &[(&str, Twin)] = include!(concat!(env!("OUT_DIR"), "/twins.rs"));

/// All terms by the names of their files, found likewise.
pub const TERMS: &[(&str, Term)] = include!(concat!(env!("OUT_DIR"), "/terms.rs"));
