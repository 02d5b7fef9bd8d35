//! Solenthaler, Pajarola 2009 (`wgsl/pcisph/`).

use glam::DVec3;
use meniscus_model::params::{KIND_FLUID, KIND_VOLUME};

use crate::World;
use crate::incompressible::{approach, gradient, leave_residuals, rest_density, velocity};
use crate::kernels::Kernels;
use crate::pairs::Pair;
use crate::tension::excess;
use crate::world::is_kind;

/// `k = δ (s* − 1)` with the predicted density (5–8), limited to taking back earlier pushes; δ is that of the rest lattice,
/// or the particle's own where that is less.
pub(crate) fn compression(world: &mut World) {
    predicted(world, |_, _, s| s - 1.0);
}

/// `k = δ e` with the excess e of the predicted density over the full share Ψ of the kernel, limited as in [`compression`].
pub(crate) fn compression_filled(world: &mut World) {
    predicted(world, excess);
}

fn predicted(world: &mut World, error: impl Fn(&World, usize, f64) -> f64) {
    world.find_pairs();
    let kernels = Kernels::of(&world.params);
    let dt = f64::from(world.control.dt);
    let wrong = |i: usize| {
        // Neighbours, and their periodic images, are those at the start of the step.
        let term = |pair: &Pair| {
            let way = dt * approach(world, pair.j) * (velocity(world, i) - velocity(world, pair.j));
            // What stands for a wall goes along it with the particle.
            let volume = is_kind(world.sorted_identity[pair.j], KIND_VOLUME);
            let way = if volume {
                way.dot(pair.offset) / pair.offset.length_squared().max(1e-30) * pair.offset
            } else {
                way
            };
            let ahead = pair.offset + way;
            world.sorted_position[pair.j][3].abs() * kernels.density(ahead.length())
        };
        let sum: f64 = world.pairs.of(i).iter().map(term).sum();
        let wrong = error(world, i, f64::from(world.params.kernel.density_calibration) * sum);
        if dt > 0.0 { wrong } else { 0.0 }
    };
    let wrong: Vec<_> = world.sorted_fluid().into_iter().map(|i| (i, wrong(i))).collect();
    let (usual, omega) = (world.number("pcisph.factor"), f64::from(world.params.sph.relaxation));
    for (i, wrong) in &wrong {
        let (mut sum, mut squares) = (DVec3::ZERO, 0.0);
        for pair in world.pairs.of(*i) {
            let g = gradient(world, pair);
            sum += approach(world, pair.j) * g;
            if is_kind(world.sorted_identity[pair.j], KIND_FLUID) {
                squares += g.length_squared();
            }
        }
        let h = f64::from(world.params.kernel.support_radius);
        let own = omega / (sum.length_squared() + squares).max(1e-6 / (h * h));
        let k = usual.min(own) * rest_density(world, *i) * wrong;
        let sum = world.floats("kappa_sum")[*i];
        world.floats_mut("kappa")[*i] = k.max(-sum);
    }
    leave_residuals(world, &wrong);
}
