//! Bender, Koschier 2015: divergence-free SPH.

use meniscus_model::Setup;

use crate::stage::{Entry, Stage, run, stage};

/// Places of the loops in `params.loops`.
const DIVERGENCE: u32 = 0;
const DENSITY: u32 = 1;

pub(super) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = super::euler_begin(setup);
    list.push(run("sph/factor"));
    list.extend(solve(setup, DIVERGENCE, "dfsph/divergence", "warm_divergence"));
    list.extend(super::euler_kick(setup));
    list.extend(solve(setup, DENSITY, "dfsph/compression", "warm_density"));
    list.extend(super::euler_end(setup));
    list
}

/// Velocities by the pressures of the last step, then by what iterations find. Bodies take their share of each
/// iteration at once, so that the next one knows how they give way: light ones could not be coupled
/// otherwise.
fn solve(setup: &Setup, number: u32, error: &str, warm: &str) -> Vec<Entry> {
    let warmed = |pass: &str| -> Stage { stage(pass).with("warm", warm) };
    let correct: Vec<_> = [stage("dfsph/correct")].into_iter().chain(super::press(setup)).collect();
    let body = [error, "loop/residual"].map(stage).into_iter().chain(correct.clone());
    let mut list = vec![run(error), warmed("dfsph/warm").into()];
    list.extend(correct.iter().cloned().map(Entry::from));
    list.push(Entry::repeat(number, body.collect()));
    list.push(warmed("sph/keep").with("kappa", "kappa_sum").into());
    list
}
