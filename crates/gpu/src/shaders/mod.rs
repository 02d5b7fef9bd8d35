//! Composition, parsing and reflection of WGSL files, without a device.

mod bindings;
mod carry;
mod compose;
mod images;
mod reflect;

pub use compose::{Composed, ShaderError, Shaders};
pub(crate) use images::WIDTH as IMAGE_WIDTH;
pub use reflect::{Binding, Reflection};
