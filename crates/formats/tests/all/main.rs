//! Tests of the crate, in one binary so that it is linked once.

mod bad_input;
mod doubts;
mod fuzz;
mod meshes;
mod scenes;
