//! Parts of the methods' steps.

pub mod bodies;
pub mod distances;
pub mod gradients;
pub mod neighbours;
pub mod sort;
pub mod step;
pub mod surface;
