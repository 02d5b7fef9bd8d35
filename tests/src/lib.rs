//! Shared code of the tests: a device, states just before a pass, and the comparison of a pass with
//! its CPU reference.
//!
//! * [`device`]: the GPU selected by `MENISCUS_GPU`, opened once for all tests;
//! * [`fixture`]: worlds full of awkward particles, advanced by the reference; [`worlds`]: those in
//!   which a pass is tested;
//! * [`physics`]: whole simulations compared with theory and experiment;
//! * [`rows`]: one row per pass: what it may write, and the tolerances;
//! * [`single`]: runs one pass on the GPU;
//! * [`scale`]: how large a rounding error may be, for each scalar;
//! * [`compare`]: runs both sides from identical bits and reports the worst element;
//! * [`mutants`]: shaders with one change each, which the comparison must notice;
//! * [`scenes`]: scene heads, runs and read-backs that tests share;
//! * [`side_by_side`]: whole steps, stage by stage, on the GPU and in the reference;
//! * [`topology`]: whether a mesh is a closed manifold, and its topology.
//!
//! This crate must not know how a pass computes: formulas belong in `wgsl/` and in the reference
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
