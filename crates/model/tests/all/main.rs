//! Tests of the crate, in one binary so that it is linked once.

mod family_check;
mod marching_cubes;
mod scene_check;
mod walls;
