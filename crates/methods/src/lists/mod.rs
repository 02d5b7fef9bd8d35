//! Parts that the steps of methods are made of.

pub mod bodies;
pub mod distances;
pub mod neighbours;
pub mod sort;
pub mod step;
pub mod surface;
