//! Raw: parts of the engine, without promises of stability. Shaders are composed and reflected, a solver's list of stages is bound to
//! buffers and recorded by a [`Machine`], all from the [`Setup`] that [`model`] makes of a scene. Calls of [`Simulation`](crate::Simulation)
//! that hand them out say so. The arrays of a [`State`](crate::State) are raw as well.

/// What a scene becomes before a device sees it: parameters, control words, particles, solids, openings ([`Setup`]), and states read back.
pub use meniscus_model as model;
pub use meniscus_model::{Control, Params, Setup};

pub use crate::machine::*;
pub use crate::shaders::{Binding, Composed, Reflection};
