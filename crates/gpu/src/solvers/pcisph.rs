//! Solenthaler, Pajarola 2009: predictive-corrective incompressible SPH.

use meniscus_model::Setup;

use crate::stage::{Entry, run, stage};

pub(super) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = super::euler_begin(setup);
    list.extend(super::euler_kick(setup));
    list.push(run("pcisph/begin"));
    let body = ["pcisph/compression", "loop/residual", "pcisph/correct"].map(stage);
    list.push(Entry::repeat(0, body.into()));
    list.extend(super::press(setup).into_iter().map(Entry::from));
    list.extend(super::euler_end(setup));
    list
}
