//! Viscosities. A boundary particle stores a friction in place of its pressure; its contribution is
//! multiplied by it.

use glam::DVec3;

use super::{density, is_volume, is_wall, volume};
use crate::World;
use crate::kernels::{COINCIDENT, Kernels};
use crate::pairs::Pair;
use crate::space::xyz;

/// 1/`ρ_i` Σ `μ_ij` `V_j` (`v_j` − `v_i`) ∇²W / L (M 14), `μ_ij` the mean of the two.
pub(crate) fn muller(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let viscosity = |s: usize| f64::from(world.material(world.sorted_identity[s]).viscosity);
    let calibration = f64::from(world.params.kernel.viscosity_calibration);
    let term = |pair: &Pair| {
        let other = world.sorted_velocity[pair.j];
        let mu = match world.params.sph.mixed_viscosity {
            _ if is_wall(world, pair) => other[3] * viscosity(i),
            1 => 0.5 * (viscosity(i) + viscosity(pair.j)),
            _ => viscosity(i),
        };
        let change = xyz(other) - xyz(world.sorted_velocity[i]);
        mu * volume(world, pair) * kernels.drag(pair.r) * change
    };
    calibration * pairs.iter().map(term).sum::<DVec3>() / density(world, i)
}

/// 1/`ρ_i` Σ `μ_ij` `V_j` (d + 2) F r⃗ (r⃗ · (`v_j` − `v_i`))/r², `μ_ij` the harmonic mean of the two; walls without particles drag
/// as in (M 14).
pub(crate) fn pairwise(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let h = f64::from(world.params.kernel.support_radius);
    let viscosity = |s: usize| f64::from(world.material(world.sorted_identity[s]).viscosity);
    let calibration = f64::from(world.params.kernel.viscosity_calibration);
    let factor = world.number("viscosity_pairwise.factor");
    let term = |pair: &Pair| {
        let other = world.sorted_velocity[pair.j];
        let change = xyz(other) - xyz(world.sorted_velocity[i]);
        let q = pair.r / h;
        let along = match q * q < COINCIDENT * COINCIDENT {
            true => DVec3::ZERO,
            false => pair.offset * pair.offset.dot(change) / (pair.r * pair.r),
        };
        let along = factor * (1.0 - q).max(0.0) * (2.0 - q) * along;
        let (mine, its) = (viscosity(i), viscosity(pair.j));
        let drag = if is_volume(world, pair) {
            mine * other[3] * calibration * kernels.drag(pair.r) * change
        } else if is_wall(world, pair) {
            mine * other[3] * along
        } else if mine + its > 0.0 {
            2.0 * mine * its / (mine + its) * along
        } else {
            DVec3::ZERO
        };
        volume(world, pair) * drag
    };
    pairs.iter().map(term).sum::<DVec3>() / density(world, i)
}

/// 1/`ρ_i` Σ (`μ_i` + `μ_j`) `V_j` (`v_j` − `v_i`) (−r⃗ · ∇W)/(r² + 0.01 h²) (Morris, Fox, Zhu 1997, 21), times a factor; walls without
/// particles drag as in (M 14).
pub(crate) fn morris(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let h = f64::from(world.params.kernel.support_radius);
    let viscosity = |s: usize| f64::from(world.material(world.sorted_identity[s]).viscosity);
    let calibration = f64::from(world.params.kernel.viscosity_calibration);
    let factor = world.number("viscosity_morris.factor");
    let term = |pair: &Pair| {
        let other = world.sorted_velocity[pair.j];
        let change = xyz(other) - xyz(world.sorted_velocity[i]);
        let slope = -pair.offset.dot(kernels.pressure_gradient(pair.offset));
        let along = factor * slope / (pair.r * pair.r + 0.01 * h * h);
        let drag = if is_volume(world, pair) {
            viscosity(i) * other[3] * calibration * kernels.drag(pair.r)
        } else if is_wall(world, pair) {
            2.0 * viscosity(i) * other[3] * along
        } else {
            (viscosity(i) + viscosity(pair.j)) * along
        };
        volume(world, pair) * drag * change
    };
    pairs.iter().map(term).sum::<DVec3>() / density(world, i)
}

/// `m_j/(ρ_i + ρ_j)`; a boundary particle has `ρ_i V_b` for its mass, times its friction.
fn share(world: &World, i: usize, pair: &Pair) -> f64 {
    let volume = volume(world, pair);
    if is_wall(world, pair) {
        return 0.5 * volume * world.sorted_velocity[pair.j][3];
    }
    let other = density(world, pair.j);
    volume * other / (density(world, i) + other)
}

/// Artificial viscosity of particles that approach each other (Monaghan 1992; Becker, Teschner 2007).
pub(crate) fn artificial(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let h = f64::from(world.params.kernel.support_radius);
    let own = |name: &str| world.number(&format!("viscosity_artificial.{name}"));
    let strength = 2.0 * own("alpha") * h * own("speed");
    let term = |pair: &Pair| {
        let v = xyz(world.sorted_velocity[i]) - xyz(world.sorted_velocity[pair.j]);
        let approach = v.dot(pair.offset).min(0.0) / (pair.r * pair.r + 0.01 * h * h);
        share(world, i, pair) * approach * kernels.pressure_gradient(pair.offset)
    };
    strength * pairs.iter().map(term).sum::<DVec3>()
}

/// The velocity filter XSPH, as an acceleration over the step.
pub(crate) fn xsph(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let dt = f64::from(world.control.dt);
    if dt <= 0.0 {
        return DVec3::ZERO;
    }
    let kernels = Kernels::of(&world.params);
    let term = |pair: &Pair| {
        let v = xyz(world.sorted_velocity[pair.j]) - xyz(world.sorted_velocity[i]);
        share(world, i, pair) * kernels.density(pair.r) * v
    };
    2.0 * world.number("viscosity_xsph.epsilon") / dt * pairs.iter().map(term).sum::<DVec3>()
}
