//! Methods for viscosity: those that a scene names in `viscosity.model`.

pub mod artificial;
pub mod implicit;
pub mod muller;
pub mod pairwise;
pub mod xsph;
