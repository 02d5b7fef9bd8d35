//! Ihmsen, Cornelis, Solenthaler, Horvath, Teschner 2014: implicit incompressible SPH.

use meniscus_model::Setup;

use crate::stage::{Entry, run, stage};

pub(super) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = super::euler_begin(setup);
    list.push(run("sph/factor"));
    list.extend(super::euler_kick(setup));
    list.extend([run("iisph/predict"), super::warm(0, "warm_pressure").into()]);
    let body = ["iisph/displacement", "iisph/pressure", "loop/residual"].map(stage);
    list.push(Entry::repeat(0, body.into()));
    list.extend([run("sph/push"), stage("sph/keep").with("warm", "warm_pressure").into()]);
    list.extend(super::press(setup).into_iter().map(Entry::from));
    list.extend(super::euler_end(setup));
    list
}
