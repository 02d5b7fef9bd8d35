//! Bender, Koschier 2015 (`wgsl/dfsph/`).

use crate::World;
use crate::incompressible::{
    displacements, divergence as divergence_of, find_pairs, leave_residuals, per_step, velocity,
};
use crate::space::with_w;

/// The part of a missing compression that may close in a step.
const CLOSING: f64 = 0.05;

/// Errors and their κ, which takes back at most what earlier iterations pushed;
/// `too_much(world, i, change)` is the compression to be undone.
fn errors(world: &mut World, too_much: impl Fn(&World, usize, f64) -> f64) {
    find_pairs(world);
    let dt = f64::from(world.control.dt);
    let wrong = |i: usize| {
        let change = dt * divergence_of(world, i, |s| velocity(world, s));
        if dt > 0.0 { too_much(world, i, change) } else { 0.0 }
    };
    let omega = f64::from(world.params.relaxation);
    let wrong: Vec<_> = world.sorted_fluid().into_iter().map(|i| (i, wrong(i))).collect();
    for (i, wrong) in &wrong {
        world.kappa[*i] = (omega * wrong * world.factor[*i][0]).max(-world.kappa_sum[*i]);
    }
    leave_residuals(world, &wrong);
}

/// The change of compression (8, 9), less a part of what is missing.
pub(crate) fn divergence(world: &mut World) {
    errors(world, |world, i, change| change + CLOSING * f64::from(world.factor[i][1]).min(0.0));
}

/// The compression at the end of the step (10, 12).
pub(crate) fn compression(world: &mut World) {
    errors(world, |world, i, change| world.factor[i][1] + change);
}

/// `v_i −= 1/(ρ0_i Δt) Σ V_j (κ_i + κ_j) ∇W` (Algorithms 2 and 3).
pub(crate) fn correct(world: &mut World) {
    let per_step = per_step(world);
    for (i, u) in displacements(world) {
        let v = velocity(world, i) + per_step * u;
        world.sorted_velocity[i] = with_w(v, world.sorted_velocity[i][3]);
        world.kappa_sum[i] += world.kappa[i];
    }
}
