//! Ihmsen et al. 2014 (`wgsl/iisph/`).

use glam::DVec3;
use meniscus_model::params::kind;

use crate::World;
use crate::incompressible::{displacements, divergence, find_pairs, leave_residuals, velocity};
use crate::space::{with_w, xyz};
use crate::world::is_kind;

/// What the advected velocities compress (4).
pub(crate) fn predict(world: &mut World) {
    find_pairs(world);
    let dt = f64::from(world.control.dt);
    for i in world.sorted_fluid() {
        let change = dt * divergence(world, i, |s| velocity(world, s));
        world.compression[i] = world.factor[i][1] + change;
    }
}

/// `Δt² a` by pressure (6).
pub(crate) fn displacement(world: &mut World) {
    for (i, u) in displacements(world) {
        world.displacements[i] = with_w(u, 0.0);
    }
}

/// Relaxed Jacobi (13).
pub(crate) fn pressure(world: &mut World) {
    find_pairs(world);
    let moves = world.control.dt > 0.0;
    let field = |s: usize| -> DVec3 {
        let fluid = is_kind(world.sorted_identity[s], kind::FLUID);
        if fluid { xyz(world.displacements[s]) } else { DVec3::ZERO }
    };
    let wrong = |i: usize| {
        let wrong = world.compression[i] + divergence(world, i, field);
        if moves { wrong } else { 0.0 }
    };
    let wrong: Vec<_> = world.sorted_fluid().into_iter().map(|i| (i, wrong(i))).collect();
    if moves {
        let omega = f64::from(world.params.relaxation);
        for (i, wrong) in &wrong {
            let k = world.kappa[*i] + omega * world.factor[*i][0] * wrong;
            world.kappa[*i] = k.max(0.0);
        }
    }
    leave_residuals(world, &wrong);
}
