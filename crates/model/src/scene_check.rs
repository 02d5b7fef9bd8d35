//! What a scene must satisfy before anything is built from it.

use crate::scene::{Problem, Scene};

pub(crate) fn problems(scene: &Scene) -> Vec<Problem> {
    let _ = scene;
    Vec::new()
}
