//! WGSL files put together, parsed and reflected; nothing here needs a device.

mod compose;
mod reflect;

pub use compose::{Composed, ShaderError, Shaders};
pub use reflect::{Binding, Reflection};
