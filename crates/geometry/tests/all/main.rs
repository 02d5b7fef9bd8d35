//! Tests of the crate, in one binary so that it is linked once.

mod bulk;
mod fill;
mod layers;
mod mesh_fill;
mod triangles;
