//! Rendering of a simulation straight from its GPU buffers, without read-back.
//!
//! A [`Renderer`] records the passes of a picture into the caller's command encoder; a [`View`]
//! says what to show and from where, a [`FluidBuffers`] holds the buffers to draw, [`Offscreen`] makes
//! an image, a [`Studio`] one of a simulation with its surface, and a [`Layer`] is drawn into the
//! pass of another program. Light is computed linearly in half floats with 4 samples per pixel, and tone-mapped at
//! the end to the target's format, with or without automatic sRGB encoding. Sky, floor and water
//! are procedural, so there are no assets; the sky may also be an image of the scene's.
//!
//! This crate must not depend on windows, events, files, clocks or threads, and it never blocks:
//! the window and the command build on it, and a browser can. It depends only on the contents of
//! buffers, not on how a simulation or a surface is computed. The shaders are `wgsl/render/*.wgsl`.

/// The examples of the document compile as they stand.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/games.md")]
mod games {}
mod camera;
mod color;
mod error;
mod fluid;
mod frame;
mod layer;
mod legend;
mod offscreen;
mod pick;
mod pipelines;
mod renderer;
mod sky;
mod solids;
mod studio;
mod targets;
mod view;

pub use camera::Camera;
pub use color::map_color;
pub use error::Error;
pub use fluid::{FluidBuffers, FoamBuffers, MeshBuffers, SmokeBuffers, SplatBuffers};
pub use layer::{Behind, Layer, Target};
pub use meniscus::{Quantity, methods::quantity::ColorMap};
pub use offscreen::Offscreen;
pub use pick::Hit;
pub use renderer::Renderer;
pub use studio::Studio;
pub use view::{Light, Mode, Slice, View};
