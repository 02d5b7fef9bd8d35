//! Solenthaler, Pajarola 2009 (`wgsl/pcisph/`).

use crate::World;
use crate::incompressible::{
    displacements, find_pairs, leave_residuals, per_step, rest_density, velocity,
};
use crate::kernels::Kernels;
use crate::pairs::Pair;
use crate::space::{displacement, with_w, xyz};

/// The velocities that pressure has yet to change.
pub(crate) fn begin(world: &mut World) {
    for s in world.particles() {
        world.advected_velocity[s] = world.sorted_velocity[s];
    }
}

/// `k += δ (s* − 1)` with the density where velocities lead (5–8).
pub(crate) fn compression(world: &mut World) {
    find_pairs(world);
    let kernels = Kernels::of(&world.params);
    let dt = f64::from(world.control.dt);
    let wrong = |i: usize| {
        let ahead = |s: usize| xyz(world.sorted_position[s]) + dt * velocity(world, s);
        // Neighbours are those at the beginning of the step.
        let term = |pair: &Pair| {
            let offset = displacement(&world.params, ahead(i), ahead(pair.j));
            world.sorted_position[pair.j][3].abs() * kernels.density(offset.length())
        };
        let sum: f64 = world.pairs.of(i).iter().map(term).sum();
        let wrong = f64::from(world.params.density_calibration) * sum - 1.0;
        if dt > 0.0 { wrong } else { 0.0 }
    };
    let wrong: Vec<_> = world.sorted_fluid().into_iter().map(|i| (i, wrong(i))).collect();
    let stiffness = f64::from(world.params.pcisph_factor);
    if dt > 0.0 {
        for (i, wrong) in &wrong {
            let k = world.kappa[*i] + stiffness * rest_density(world, *i) * wrong;
            world.kappa[*i] = k.max(0.0);
        }
    }
    leave_residuals(world, &wrong);
}

/// Velocities with the present pressures (Algorithm 2).
pub(crate) fn correct(world: &mut World) {
    let per_step = per_step(world);
    for (i, u) in displacements(world) {
        let v = world.advected_velocity[i];
        world.sorted_velocity[i] = with_w(xyz(v) + per_step * u, v[3]);
    }
}
