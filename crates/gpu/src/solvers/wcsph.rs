//! Becker, Teschner 2007.

use meniscus_model::Setup;

use crate::stage::{Entry, run};

pub(super) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = vec![run("time/begin_step")];
    list.extend(super::emit(setup));
    list.push(run("integrate/drift"));
    list.extend(super::sort(setup));
    list.extend([
        run("sph/density"),
        run("wcsph/pressure"),
        run("wcsph/forces"),
        run("integrate/kick_drift"),
        run("solid/collide"),
        run("check/limits"),
        run("time/end_step"),
    ]);
    list
}
