//! Solenthaler, Pajarola 2009: predictive-corrective incompressible SPH.

use meniscus_model::Setup;

use crate::stage::Entry;

/// Unlike the paper's, pressures begin with half of the last step's: from 0, iterations that carry them one
/// neighbourhood further each do not reach through deep water.
pub(crate) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = super::euler_begin(setup);
    list.extend(super::euler_kick(setup));
    list.extend(super::solve(setup, "pressure", "pcisph/compression"));
    list.extend(super::euler_end(setup));
    list
}
