//! Ihmsen, Cornelis, Solenthaler, Horvath, Teschner 2014: implicit incompressible SPH.

use meniscus_model::Setup;

use crate::stage::{Entry, run};

/// Instead of the sums over pressures in (13), velocities are corrected in each iteration: the same numbers,
/// and bodies can take part.
pub(crate) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = super::euler_begin(setup);
    list.push(run("sph/factor"));
    list.extend(super::euler_kick(setup));
    list.extend(super::solve(setup, "pressure", "sph/compression"));
    list.extend(super::euler_end(setup));
    list
}
