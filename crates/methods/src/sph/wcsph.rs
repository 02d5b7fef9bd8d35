//! Becker, Teschner 2007: weakly compressible SPH.

use meniscus_model::Setup;

use crate::stage::Entry;

pub(crate) fn step(setup: &Setup) -> Vec<Entry> {
    let density = if setup.continuity { "wcsph/continuity" } else { "sph/density" };
    let forces = super::forces(setup, Some("pressure_wcsph"));
    super::leap_frog(setup, &[density, "wcsph/pressure"], &forces)
}
