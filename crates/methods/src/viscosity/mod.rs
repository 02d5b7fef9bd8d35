//! Viscosities: a scene has as many as it names in `viscosity.model`.

pub mod artificial;
pub mod muller;
pub mod xsph;
