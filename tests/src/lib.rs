//! Shared code of the tests: a device, scenes in the reference stage by stage, and the comparison of a
//! stage on the GPU with it.
//!
//! * [`device`]: the GPU selected by `MENISCUS_GPU`, opened once for all tests;
//! * [`cases`]: the scenes in which every pass is compared; [`course`]: a scene in the reference;
//!   [`moment`]: one of its stages, with the world before and after;
//! * [`single`]: runs one stage on the GPU; [`compare`]: the one rule of comparison; [`scale`]: the scale
//!   of rounding errors, for each scalar;
//! * [`side_by_side`]: any scene compared step by step;
//! * [`mutants`]: shaders with one change each, to see whether the comparison notices;
//! * [`physics`]: whole simulations compared with theory and experiment;
//! * [`names`]: names of tests that follow from a folder or a table;
//! * [`scenes`]: scene heads, runs and read-backs that tests share;
//! * [`laws`]: relations that hold whatever the right answer is, over the scenes of `tests/laws/`;
//! * [`topology`]: whether a mesh is a closed manifold, and its topology.
//!
//! This crate must not contain the formulas of passes: these belong in `wgsl/` and in the reference
//! only.

pub mod cases;
pub mod compare;
pub mod course;
pub mod device;
pub mod lattice;
pub mod laws;
pub mod moment;
pub mod mutants;
pub mod names;
pub mod physics;
pub mod random;
pub mod scale;
pub mod scenes;
pub mod side_by_side;
pub mod single;
pub mod topology;
