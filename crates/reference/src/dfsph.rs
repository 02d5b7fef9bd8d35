//! Bender, Koschier 2015 (`wgsl/dfsph/`), with volumes at rest: s = ρ/ρ0, k = κ Δt²/ρ².

use glam::DVec3;
use meniscus_model::params::kind;

use crate::World;
use crate::kernels::Kernels;
use crate::pairs::Pair;
use crate::space::{with_w, xyz};
use crate::world::is_kind;

/// Particles of a workgroup, whose errors are summed first.
const GROUP: usize = 64;
/// A particle with fewer neighbours may fly apart and together, in 3-D.
const FEW: usize = 12;

/// `c V_j ∇W_ij`, c the density's calibration.
fn gradient(world: &World, pair: &Pair) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let volume = world.sorted_position[pair.j][3].abs();
    f64::from(world.params.density_calibration) * volume * kernels.density_gradient(pair.offset)
}

fn find_pairs(world: &mut World) {
    world.pairs.update(&world.params, &world.sorted_position[world.particles()]);
}

/// `α_i = 1 / (|Σ V_j ∇W|² + Σ m_i/m_j |V_j ∇W|²)` (11).
pub(crate) fn factor(world: &mut World) {
    find_pairs(world);
    let h = f64::from(world.params.support_radius);
    for i in world.sorted_fluid() {
        let mass = |s: usize| f64::from(world.material(world.sorted_identity[s]).mass);
        let mut sum = DVec3::ZERO;
        let mut squares = 0.0;
        for pair in world.pairs.of(i) {
            let g = gradient(world, pair);
            sum += g;
            if is_kind(world.sorted_identity[pair.j], kind::FLUID) {
                squares += mass(i) / mass(pair.j) * g.length_squared();
            }
        }
        let sum = sum.length_squared() + squares;
        world.factor[i] = if sum > 1e-6 / (h * h) { 1.0 / sum } else { 0.0 };
    }
}

/// Errors and their k; `too_much(world, i, change, neighbours)` is the compression to be undone.
fn errors(world: &mut World, too_much: impl Fn(&World, usize, f64, usize) -> f64) {
    find_pairs(world);
    let dt = f64::from(world.control.dt);
    for residual in &mut world.residuals {
        *residual = [0.0; 2];
    }
    for i in world.sorted_fluid() {
        let velocity = xyz(world.sorted_velocity[i]);
        let neighbours = || world.pairs.of(i).iter().filter(|pair| pair.r > 0.0);
        let rate: f64 = neighbours()
            .map(|p| (velocity - xyz(world.sorted_velocity[p.j])).dot(gradient(world, p)))
            .sum();
        // As the GPU counts them: the particle is one of its own, where the kernel is round.
        let contacts = world.pairs.of(i).iter().filter(|p| touches(world, p)).count();
        let wrong = too_much(world, i, dt * rate, contacts).max(0.0);
        let wrong = if dt > 0.0 { wrong } else { 0.0 };
        world.kappa[i] = wrong * world.factor[i];
        let residual = &mut world.residuals[i / GROUP];
        *residual = [residual[0] + 100.0 * wrong, residual[1] + 1.0];
    }
}

/// Whether W'/r is not 0 between a pair.
fn touches(world: &World, pair: &Pair) -> bool {
    let h = f64::from(world.params.support_radius);
    world.sorted_position[pair.j][3] != 0.0 && pair.r < h
}

/// The change of compression (8, 9).
pub(crate) fn divergence(world: &mut World) {
    errors(
        world,
        |world, _, change, neighbours| {
            if neighbours >= FEW || world.params.dimensions == 2 { change } else { 0.0 }
        },
    );
}

/// The compression at the end of the step (10, 12).
pub(crate) fn compression(world: &mut World) {
    errors(world, |world, i, change, _| {
        let rest_density = f64::from(world.material(world.sorted_identity[i]).rest_density);
        world.density[i] / rest_density - 1.0 + change
    });
}

/// Mean error in percent.
pub(crate) fn residual(world: &mut World) {
    let groups = world.particles().len().div_ceil(GROUP);
    let sum = |k: usize| world.residuals[..groups].iter().map(|residual| residual[k]).sum::<f64>();
    world.control.residual = (sum(0) / sum(1).max(1.0)) as f32;
}

/// `v_i −= 1/Δt Σ V_j (k_i + k_j ρ0_j/ρ0_i) ∇W` (Algorithms 2 and 3).
pub(crate) fn correct(world: &mut World) {
    find_pairs(world);
    let dt = f64::from(world.control.dt);
    let stiffness = |s: usize| {
        let material = world.material(world.sorted_identity[s]);
        let fluid = is_kind(world.sorted_identity[s], kind::FLUID);
        if fluid { world.kappa[s] * f64::from(material.rest_density) } else { 0.0 }
    };
    let mut changed = Vec::new();
    for i in world.sorted_fluid() {
        let push = |p: &Pair| (stiffness(i) + stiffness(p.j)) * gradient(world, p);
        let push: DVec3 = world.pairs.of(i).iter().map(push).sum();
        let rest_density = f64::from(world.material(world.sorted_identity[i]).rest_density);
        let per_step = if dt > 0.0 { 1.0 / dt } else { 0.0 };
        changed.push((i, xyz(world.sorted_velocity[i]) - per_step / rest_density * push));
    }
    for (i, velocity) in changed {
        world.sorted_velocity[i] = with_w(velocity, world.sorted_velocity[i][3]);
        world.kappa_sum[i] += world.kappa[i];
    }
}

/// Half of the k of the last step, in this step's order, where there is an error now.
pub(crate) fn warm(world: &mut World) {
    for s in world.particles() {
        let warm = 0.5 * world.warm[world.order[s] as usize];
        world.kappa[s] = if world.kappa[s] > 0.0 { warm } else { 0.0 };
        world.kappa_sum[s] = 0.0;
    }
}

/// The k of this step, for the next.
pub(crate) fn keep(world: &mut World) {
    for s in world.particles() {
        world.warm[s] = world.kappa_sum[s];
    }
}
