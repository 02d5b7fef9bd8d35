//! The proofs of meniscus. One binary, so that devices and compiled shaders are shared.
//!
//! `MENISCUS_GPU=require|auto|off` says whether a GPU must be there; `MENISCUS_FULL=1` runs the
//! long cases too.

mod bodies;
mod canary;
mod conformance;
mod fields;
mod golden;
mod layout;
mod leaks;
mod loops;
mod physics;
mod random;
mod solvers;
mod surface;
mod systems;
mod table;
