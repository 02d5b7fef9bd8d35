//! Bender, Koschier 2015: divergence-free SPH.

use meniscus_model::Setup;

use crate::stage::{Entry, Stage, stage};

/// Places of the loops in `params.loops`.
const DIVERGENCE: u32 = 0;
const DENSITY: u32 = 1;

/// Unlike the paper's, velocities lose their divergence after gravity and viscosity act. So it is that solver
/// which bears the weight of the fluid, and its κ can begin with all of the last step's: velocities answer
/// to them at once. Places do a step later, and a density solver that began so would swing about them.
pub(super) fn step(setup: &Setup) -> Vec<Entry> {
    let mut list = super::euler_begin(setup);
    list.push(stage("sph/factor").into());
    list.extend(super::euler_kick(setup));
    list.extend(solve(setup, DIVERGENCE, "dfsph/divergence", "warm_divergence"));
    list.extend(solve(setup, DENSITY, "dfsph/compression", "warm_density"));
    list.extend(super::euler_end(setup));
    list
}

/// Velocities by pressures of the last step, then by what iterations find. Bodies take their share of each
/// iteration at once, so that the next one knows how they give way: light ones could not be coupled
/// otherwise.
fn solve(setup: &Setup, number: u32, error: &str, warm: &str) -> Vec<Entry> {
    let sum = |stage: Stage| stage.with("kappa", "kappa_sum");
    let press = || super::press(setup).into_iter();
    let mut list = vec![sum(super::warm(number, warm)), sum(stage("sph/push"))];
    list.extend(press().map(sum));
    let mut list: Vec<Entry> = list.into_iter().map(Entry::from).collect();
    let body = [error, "loop/residual", "dfsph/correct"].map(stage).into_iter().chain(press());
    list.push(Entry::repeat(number, body.collect()));
    list.push(sum(stage("sph/keep").with("warm", warm)).into());
    list
}
