//! Becker, Teschner 2007: weakly compressible SPH.

use meniscus_model::Setup;

use crate::stage::Entry;

pub(crate) fn step(setup: &Setup) -> Vec<Entry> {
    let density = if setup.continuity { "wcsph/continuity" } else { "sph/density" };
    let mut forces = vec![density, "wcsph/pressure", "wcsph/forces"];
    if setup.params.alpha > 0.0 {
        forces.push("wcsph/artificial");
    }
    if setup.params.xsph > 0.0 {
        forces.push("wcsph/xsph");
    }
    super::leap_frog(setup, &forces)
}
