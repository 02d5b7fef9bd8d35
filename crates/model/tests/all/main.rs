//! Tests of the crate, in one binary so that it is linked once.

mod family_check;
mod scene_check;
mod walls;
