//! Tests of the crate, in one binary so that it is linked once.

mod bad_input;
mod fuzz;
mod meshes;
mod scenes;
