//! Composition, parsing and reflection of WGSL files, without a device.

mod bindings;
mod compose;
mod reflect;

pub use compose::{Composed, ShaderError, Shaders};
pub use reflect::{Binding, Reflection};
