//! Checks of a scene without a device.

use meniscus_methods::Registry;
use meniscus_model::check;
use meniscus_scene::Scene;

use crate::Error;

/// Checks a scene as [`Simulation::new`](crate::Simulation::new) and the command do, without a device: values, places,
/// overlaps, time steps. Returns warnings, a sentence each, about what is allowed but probably not meant.
///
/// # Errors
/// [`Error::Scene`] with every problem: the path of its key, its [kind](crate::ProblemKind) and a message.
pub fn check(scene: &Scene) -> Result<Vec<String>, Error> {
    let problems = check::problems(scene);
    if !problems.is_empty() {
        return Err(Error::Scene(problems));
    }
    Ok(Registry::standard().warnings(scene))
}
