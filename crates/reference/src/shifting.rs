//! Shifts of particles (`wgsl/shifting/`).

use glam::DVec3;
use meniscus_model::params::KIND_FLUID;

use crate::World;
use crate::kernels::Kernels;
use crate::pairs::Pair;
use crate::space::{wrap, xyz};
use crate::world::is_kind;

/// Weight of close pairs.
const CLUMPED: f64 = 0.2;
/// λ below which a particle is not shifted.
const LAMBDA_LOOSE: f64 = 0.4;

/// Shift of each particle.
pub(crate) fn shift(world: &mut World) {
    world.find_pairs();
    let kernels = Kernels::of(&world.params);
    let (dt, h) = (f64::from(world.control.dt), f64::from(world.params.kernel.support_radius));
    let [reach, inverse] =
        ["reach", "inverse_kernel"].map(|name| world.number(&format!("shifting.{name}")));
    let of = |i: usize| {
        let term = |pair: &Pair| {
            let weight = 1.0 + CLUMPED * (inverse * kernels.density(pair.r)).powi(4);
            let volume = world.sorted_position[pair.j][3].abs();
            weight * volume * kernels.density_gradient(pair.offset)
        };
        let mut sum: DVec3 = world.pairs.of(i).iter().map(term).sum();
        let slope = &world.floats("tension_gradient")[4 * i..4 * i + 4];
        let normal = DVec3::from_slice(slope).normalize_or_zero();
        if slope[3] < h {
            sum -= sum.dot(normal) * normal;
        }
        let is_fluid = |s: &usize| is_kind(world.sorted_identity[*s], KIND_FLUID);
        let near = world.pairs.of(i).iter().map(|pair| pair.j).filter(is_fluid);
        let speed = |s: usize| xyz(world.sorted_velocity[s]).length();
        let fastest = near.map(speed).fold(speed(i), f64::max);
        let way = (-dt * fastest * reach * sum).clamp_length_max(0.5 * dt * fastest);
        let loose = world.floats("tension_normal")[4 * i + 3] < LAMBDA_LOOSE;
        (i, if loose { DVec3::ZERO } else { way })
    };
    let found: Vec<_> = world.sorted_fluid().into_iter().map(of).collect();
    for (i, way) in found {
        world.floats_mut("shift")[4 * i..4 * i + 4].copy_from_slice(&way.extend(0.0).to_array());
    }
}

/// Positions with them (`wgsl/shifting/move`).
pub(crate) fn moves(world: &mut World) {
    for s in world.handled() {
        if is_kind(world.identity[s], KIND_FLUID) {
            let way = DVec3::from_slice(&world.floats("shift")[4 * s..]);
            let x = wrap(&world.params, xyz(world.position[s]) + way);
            world.position[s][..3].copy_from_slice(&x.to_array());
        }
    }
}
