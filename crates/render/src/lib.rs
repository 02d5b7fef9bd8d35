//! Draws a simulation from its own buffers, where they lie on the GPU: nothing is read back.
//!
//! A [`Renderer`] records the passes of one picture into somebody's command encoder; a [`View`]
//! says what to show and from where, a [`Fluid`] holds handles to the buffers that are drawn, and
//! [`Offscreen`] makes an image of it. Light is computed linearly in half floats, with 4 samples a
//! pixel, and mapped to the target's colours at the end, whether the target encodes sRGB by itself
//! or not. Sky, floor and water are procedural: there are no assets.
//!
//! This crate must not know windows, events, files, clocks or threads, and it never blocks: the
//! window and the command build on it, and a browser can. It must not know how a simulation or a
//! surface is computed either, only what their buffers hold. Shaders are `wgsl/render/*.wgsl`.

mod camera;
mod color;
mod error;
mod fluid;
mod frame;
mod legend;
mod offscreen;
mod pick;
mod pipelines;
mod renderer;
mod solids;
mod targets;
mod view;

pub use camera::Camera;
pub use color::{ColorMap, map_color};
pub use error::Error;
pub use fluid::{Fluid, MeshBuffers, SplatBuffers};
pub use offscreen::Offscreen;
pub use pick::Hit;
pub use renderer::Renderer;
pub use view::{ColorBy, Mode, View};
