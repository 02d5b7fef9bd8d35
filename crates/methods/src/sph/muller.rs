//! Müller, Charypar, Gross 2003: particle-based fluid simulation for interactive applications.

use meniscus_model::Setup;

use crate::stage::Entry;

/// Stages of one step.
pub(crate) fn step(setup: &Setup) -> Vec<Entry> {
    let forces = super::forces(setup, Some("pressure_muller"));
    super::leap_frog(setup, &["sph/density", "muller/pressure"], &forces)
}
