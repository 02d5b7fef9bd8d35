//! Bender, Koschier 2015: divergence-free SPH.

use meniscus_model::Setup;

use crate::stage::{Entry, run};

/// Unlike the paper's, velocities lose their divergence after gravity and viscosity act. So it is that solver
/// which bears the weight of the fluid, and its κ can begin with all of the last step's: velocities answer
/// to them at once. Places do a step later, and a density solver that began so would swing about them.
pub(crate) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = super::euler_begin(setup);
    list.push(run("sph/factor"));
    list.extend(super::euler_kick(setup));
    list.extend(super::solve(setup, "divergence", "dfsph/divergence"));
    list.extend(super::solve(setup, "density", "sph/compression"));
    list.extend(super::euler_end(setup));
    list
}
