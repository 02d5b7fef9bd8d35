//! Solenthaler, Pajarola 2009: predictive-corrective incompressible SPH.

use meniscus_model::Setup;

use crate::stage::{Entry, run, stage};

/// Unlike the paper's, pressures begin with half of the last step's: from 0, iterations that carry them one
/// neighbourhood further each do not reach through deep water.
pub(super) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = super::euler_begin(setup);
    list.extend(super::euler_kick(setup));
    list.extend([run("pcisph/begin"), super::warm(0, "warm_pressure").into()]);
    let body = ["pcisph/correct", "pcisph/compression", "loop/residual"].map(stage);
    list.push(Entry::repeat(0, body.into()));
    list.extend([run("pcisph/correct"), stage("sph/keep").with("warm", "warm_pressure").into()]);
    list.extend(super::press(setup).into_iter().map(Entry::from));
    list.extend(super::euler_end(setup));
    list
}
