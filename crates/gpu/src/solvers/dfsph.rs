//! Bender, Koschier 2015: divergence-free SPH.

use meniscus_model::Setup;

use crate::stage::{Entry, Stage, run, stage};

/// Places of the loops in `params.loops`.
const DIVERGENCE: u32 = 0;
const DENSITY: u32 = 1;

pub(super) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = super::euler_begin(setup);
    list.push(run("sph/factor"));
    list.extend(solve(DIVERGENCE, "dfsph/divergence", "warm_divergence"));
    list.extend([run("sph/forces"), run("integrate/kick")]);
    list.extend(solve(DENSITY, "dfsph/compression", "warm_density"));
    list.extend(super::euler_end());
    list
}

/// Velocities by the k of the last step, then by what iterations find.
fn solve(number: u32, error: &str, warm: &str) -> [Entry; 5] {
    let warmed = |pass: &str| -> Stage { stage(pass).with("warm", warm) };
    let body = [error, "loop/residual", "dfsph/correct"].map(stage);
    [
        run(error),
        warmed("dfsph/warm").into(),
        run("dfsph/correct"),
        Entry::repeat(number, body.into()),
        warmed("dfsph/keep").into(),
    ]
}
