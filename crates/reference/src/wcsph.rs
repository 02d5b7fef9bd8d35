//! Becker, Teschner 2007 (`wgsl/wcsph/`).

use glam::DVec3;
use meniscus_model::params::kind;

use crate::World;
use crate::forces;
use crate::kernels::Kernels;
use crate::pairs::Pair;
use crate::space::{with_w, xyz};
use crate::world::is_kind;

/// Density by the continuity equation (ST 2): the density that a particle came with, and Δt times
/// the rate at which the sum of `sph/density` changes.
pub(crate) fn continuity(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    let scale = f64::from(world.params.density_calibration) * f64::from(world.control.dt);
    world.pairs.update(&world.params, &world.sorted_position[world.particles()]);
    for i in world.sorted_fluid() {
        let rest_density = f64::from(world.material(world.sorted_identity[i]).rest_density);
        let velocity = |s: usize| xyz(world.sorted_velocity[s]);
        let rate = |p: &Pair| {
            let volume = world.sorted_position[p.j][3].abs();
            volume * (velocity(i) - velocity(p.j)).dot(kernels.density_gradient(p.offset))
        };
        let rate: f64 = world.pairs.of(i).iter().map(rate).sum();
        let before = world.position[world.order[i] as usize][3];
        world.density[i] = before + scale * rest_density * rate;
    }
}

/// `m_j/(ρ_i + ρ_j)`; a boundary particle has `ρ_i V_b` for its mass, times its friction.
fn share(world: &World, i: usize, j: usize) -> f64 {
    let volume = world.sorted_position[j][3].abs();
    if is_kind(world.sorted_identity[j], kind::BOUNDARY) {
        return 0.5 * volume * world.sorted_velocity[j][3];
    }
    volume * world.density[j] / (world.density[i] + world.density[j])
}

/// Adds `term(world, i, pair)` of all neighbours to the accelerations.
fn accelerate(world: &mut World, term: impl Fn(&World, usize, &Pair) -> DVec3) {
    world.pairs.update(&world.params, &world.sorted_position[world.particles()]);
    for i in world.sorted_fluid() {
        let sum: DVec3 = world.pairs.of(i).iter().map(|pair| term(world, i, pair)).sum();
        let a = world.acceleration[i];
        world.acceleration[i] = with_w(xyz(a) + sum, a[3]);
    }
}

/// Artificial viscosity of particles that approach each other (ST 5, 6).
pub(crate) fn artificial(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    let params = &world.params;
    let h = f64::from(params.support_radius);
    let strength = 2.0 * f64::from(params.alpha) * h * f64::from(params.sound_speed);
    accelerate(world, |world, i, pair| {
        let v = xyz(world.sorted_velocity[i]) - xyz(world.sorted_velocity[pair.j]);
        let approach = v.dot(pair.offset).min(0.0) / (pair.r * pair.r + 0.01 * h * h);
        let share = share(world, i, pair.j);
        strength * share * approach * kernels.pressure_gradient(pair.offset)
    });
}

/// The velocity filter XSPH, as an acceleration over the step.
pub(crate) fn xsph(world: &mut World) {
    let dt = f64::from(world.control.dt);
    if dt <= 0.0 {
        return;
    }
    let kernels = Kernels::of(&world.params);
    let strength = 2.0 * f64::from(world.params.xsph) / dt;
    accelerate(world, |world, i, pair| {
        let v = xyz(world.sorted_velocity[pair.j]) - xyz(world.sorted_velocity[i]);
        strength * share(world, i, pair.j) * kernels.density(pair.r) * v
    });
}

/// Pressure p = B((ρ/ρ0)^γ − 1) (ST 4), clamped at 0 if asked for, and volume V = m/ρ.
pub(crate) fn pressure(world: &mut World) {
    let gamma = f64::from(world.params.gamma);
    for i in world.sorted_fluid() {
        let material = world.material(world.sorted_identity[i]);
        let ratio = world.density[i] / f64::from(material.rest_density);
        world.set_pressure(i, f64::from(material.stiffness) * (ratio.powf(gamma) - 1.0));
    }
}

/// Acceleration by all forces; the pressure's is `ρ_i` Σ `m_j` (`p_i/ρ_i²` + `p_j/ρ_j²`) ∇W (ST 3) with
/// masses written as volumes, and 2 `V_b` `p_i` of walls.
pub(crate) fn forces(world: &mut World) {
    forces::evaluate(world, |own, other| {
        if other.wall {
            2.0 * other.volume * own.pressure
        } else {
            own.volume * own.pressure + other.volume.powi(2) * other.pressure / own.volume
        }
    });
}
