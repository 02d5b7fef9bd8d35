//! Interactive runs of scenes, for any user interface.
//!
//! A [`Choice`] is loaded as a [`Chosen`] scene of a size that suits the adapter; a [`Run`] is its
//! simulation with the user's settings, a [`Tuning`] the values of the sliders; a [`HandTool`] turns
//! drags over the picture into [`HandCommand`]s, a [`CameraControl`] into smooth motion, and a
//! [`Pace`] keeps simulated time to the clock.
//!
//! This crate must not depend on windows, events, widgets, files or threads, and it never blocks:
//! the window and the page of the browser build on it.

mod camera;
mod choice;
mod fluid_surface;
mod hand;
mod pace;
mod pick;
mod run;
mod sliders;
mod tank_motion;
mod text;
mod tuning;

pub use camera::CameraControl;
pub use choice::{Choice, Chosen, FIRST};
pub use hand::{Grip, Hand, HandCommand, HandTool, Modifiers, Viewport};
pub use pace::Pace;
pub use run::Run;
pub use sliders::{Slider, SliderKind};
pub use text::grouped;
pub use tuning::{MaterialSettings, MethodKey, Tuning, Value};

/// A bundled scene with at most some ten thousand particles, since tests set all of them up.
#[cfg(test)]
fn coarse(name: &str) -> meniscus::Scene {
    const ENOUGH: f64 = 10_000.0;
    let mut scene = meniscus_formats::load_scene(name, &Default::default()).expect("bundled").scene;
    let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
    let count: f64 = scene.fluids.iter().map(|fluid| fluid.shape.count(spacing, dimensions)).sum();
    let factor = (count / ENOUGH).max(1.0).powf(1.0 / f64::from(dimensions));
    scene.particle_radius *= factor;
    scene.support_radius = scene.support_radius.map(|h| h * factor);
    scene
}
