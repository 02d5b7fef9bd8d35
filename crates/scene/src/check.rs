//! What a scene must satisfy before anything is built from it, as far as the scene alone tells.
//!
//! Every number is bounded so that what the GPU makes of it in 32-bit floats stays finite.

mod amount;
mod bodies;
mod numbers;
mod parts;
mod places;

use meniscus_geometry::{Check, Problem};

pub use self::places::overlaps;
use crate::scene::Scene;

/// Most particles of a scene, those that emitters may add included.
pub const MAX_PARTICLES: u32 = 64_000_000;

/// What is wrong with a scene's values, in the order of its keys, and with how many particles there
/// are.
#[must_use]
pub fn values(scene: &Scene) -> Vec<Problem> {
    let mut check = check_of(scene);
    numbers::numbers(&mut check, scene);
    numbers::domain(&mut check, scene);
    numbers::time(&mut check, scene);
    numbers::camera(&mut check, scene);
    numbers::materials(&mut check, scene);
    parts::fluids(&mut check, scene);
    parts::boundaries(&mut check, scene);
    bodies::bodies(&mut check, scene);
    parts::forces(&mut check, scene);
    parts::emitters(&mut check, scene);
    parts::drains(&mut check, scene);
    // This samples shapes: their numbers must make sense.
    if check.problems.is_empty() {
        amount::amount(&mut check, scene);
    }
    check.problems
}

/// What is wrong with the places of fluids, emitters and bodies: outside of containers, in
/// obstacles, in each other.
///
/// The scene's [`values`] must be sound.
#[must_use]
pub fn places(scene: &Scene) -> Vec<Problem> {
    let mut check = check_of(scene);
    places::containment(&mut check, scene);
    places::collisions(&mut check, scene);
    check.problems
}

fn check_of(scene: &Scene) -> Check {
    Check {
        dimensions: scene.dimensions,
        spacing: scene.spacing(),
        support_radius: scene.support_radius(),
        problems: Vec::new(),
    }
}
