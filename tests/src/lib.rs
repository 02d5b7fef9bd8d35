//! What the proofs of meniscus share: a device, states just before a pass, and the comparison of a
//! pass with its CPU twin.
//!
//! * [`device`]: the GPU under `MENISCUS_GPU`, opened once for all tests;
//! * [`fixture`]: worlds full of awkward particles, advanced by the reference;
//! * [`physics`]: whole simulations against theory and experiment;
//! * [`rows`]: one row for each pass: what it may write and how exactly;
//! * [`compare`]: both sides from identical bits, and the verdict with the worst element;
//! * [`scenes`]: scene heads, runs and read-backs that tests share;
//! * [`topology`]: whether a mesh is a closed manifold, and which.
//!
//! It must not know how a pass computes: formulas are in `wgsl/` and in the reference, and nowhere
//! else.

pub mod compare;
pub mod device;
pub mod fixture;
pub mod physics;
pub mod rows;
pub mod scenes;
pub mod topology;
