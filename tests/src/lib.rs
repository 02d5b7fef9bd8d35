//! Shared code of the tests: a device, states just before a pass, and the comparison of a pass with
//! its CPU reference.
//!
//! * [`device`]: the GPU selected by `MENISCUS_GPU`, opened once for all tests;
//! * [`fixture`]: worlds full of awkward particles, advanced by the reference; [`worlds`]: the
//!   worlds in which each pass is tested;
//! * [`physics`]: whole simulations compared with theory and experiment;
//! * [`rows`]: one row per pass, with the buffers that it may write and the tolerances;
//! * [`single`]: runs one pass on the GPU;
//! * [`scale`]: the scale of rounding errors, for each scalar;
//! * [`compare`]: runs both sides from identical bits and reports the worst element;
//! * [`mutants`]: mutation tests: shaders with one change each, which the comparison must detect;
//! * [`scenes`]: scene heads, runs and read-backs that tests share;
//! * [`side_by_side`]: whole steps, stage by stage, on the GPU and in the reference;
//! * [`topology`]: whether a mesh is a closed manifold, and its topology.
//!
//! This crate must not contain the formulas of passes: these belong in `wgsl/` and in the reference
//! only.

pub mod compare;
pub mod device;
pub mod fixture;
pub mod mutants;
pub mod physics;
pub mod rows;
pub mod scale;
pub mod scenes;
pub mod side_by_side;
pub mod single;
pub mod topology;
pub mod worlds;
