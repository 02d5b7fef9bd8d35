//! Checks of a scene, as far as they follow from the scene alone.
//!
//! All numbers are bounded so that the GPU's results in 32-bit floats stay finite.

mod amount;
mod bodies;
mod joints;
mod numbers;
mod openings;
mod parts;
mod places;
mod rows;

use meniscus_geometry::{Check, Problem, Shape, Use};
use schemars::JsonSchema;
use serde::Serialize;

pub use self::places::{coincident, overlaps};
use crate::probes;
use crate::{Fluid, Force, Scene};

/// Most particles of a scene, including those from emitters.
pub const MAX_PARTICLES: u32 = 64_000_000;
/// Problem of a scene in which nothing flows.
pub const NO_FLUID: &str = "no fluid: add [[fluid]] with a shape, or an [[emitter]] or [[inlet]]; for smoke, a [[source]], a [[vortex]], \
                            wind, or a wall that moves or has a temperature";

/// Problems of a scene's values, first those of keys that are out of their own bounds, and of its number of particles; `support_radius` in m is that of
/// its methods.
#[must_use]
pub fn values(scene: &Scene, support_radius: f64) -> Vec<Problem> {
    let mut check = check_of(scene, support_radius);
    rows::scene(&mut check, scene);
    numbers::numbers(&mut check, scene);
    numbers::domain(&mut check, scene);
    numbers::time(&mut check, scene);
    numbers::camera(&mut check, scene);
    numbers::light(&mut check, scene);
    numbers::materials(&mut check, scene);
    parts::fluids(&mut check, scene);
    parts::boundaries(&mut check, scene);
    bodies::bodies(&mut check, scene);
    joints::joints(&mut check, scene);
    joints::moorings(&mut check, scene);
    parts::forces(&mut check, scene);
    parts::emitters(&mut check, scene);
    parts::drains(&mut check, scene);
    openings::openings(&mut check, scene);
    parts::sources(&mut check, scene);
    parts::vortices(&mut check, scene);
    probes::check(&mut check, scene);
    // This samples shapes, so their numbers must be valid.
    if check.problems.is_empty() {
        amount::amount(&mut check, scene);
    }
    check.problems
}

/// Problems of the places of fluids, emitters and bodies: outside containers, in obstacles, in each
/// other.
///
/// The scene's [`values`] must be valid.
#[must_use]
pub fn places(scene: &Scene, support_radius: f64) -> Vec<Problem> {
    let mut check = check_of(scene, support_radius);
    places::containment(&mut check, scene);
    places::collisions(&mut check, scene);
    check.problems
}

/// Problems of a force field in a scene with this number of dimensions.
#[must_use]
pub fn force(force: &Force, dimensions: u32) -> Vec<Problem> {
    part("force", force, dimensions, 0.0, parts::force)
}

/// Problems of a fluid in a scene with this number of dimensions and spacing of particles in m; its material aside.
#[must_use]
pub fn fluid(fluid: &Fluid, dimensions: u32, spacing: f64) -> Vec<Problem> {
    part("fluid", fluid, dimensions, spacing, parts::fluid)
}

/// Problems of a region from which fluid is removed.
#[must_use]
pub fn region(shape: &Shape, dimensions: u32, spacing: f64) -> Vec<Problem> {
    part("region", shape, dimensions, spacing, |check, key, shape| {
        parts::shape(check, key, shape, Use::Drain);
    })
}

/// Problems of a part of a scene.
fn part<T: Serialize + JsonSchema>(
    key: &str,
    value: &T,
    dimensions: u32,
    spacing: f64,
    check_more: impl FnOnce(&mut Check, &str, &T),
) -> Vec<Problem> {
    let mut check = Check { dimensions, spacing, support_radius: 0.0, problems: Vec::new() };
    rows::part(&mut check, key, value);
    check_more(&mut check, key, value);
    check.problems
}

fn check_of(scene: &Scene, support_radius: f64) -> Check {
    Check {
        dimensions: scene.dimensions,
        spacing: scene.spacing(),
        support_radius,
        problems: Vec::new(),
    }
}
