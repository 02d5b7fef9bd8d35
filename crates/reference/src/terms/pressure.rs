//! Pressure forces of methods with an equation of state. Boundary particles have the pressure of
//! the fluid particle (Akinci 2012), walls without particles none.

use glam::DVec3;

use super::{density, is_volume, is_wall, volume};
use crate::World;
use crate::kernels::Kernels;
use crate::pairs::Pair;

/// Acceleration −1/ρ Σ factor ∇W / G.
fn acceleration(world: &World, i: usize, pairs: &[Pair], factor: impl Fn(&Pair) -> f64) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let calibration = f64::from(world.params.kernel.gradient_calibration);
    let sum: DVec3 = pairs.iter().map(|p| factor(p) * kernels.pressure_gradient(p.offset)).sum();
    -calibration * sum / density(world, i)
}

/// Pressure in Pa of the wall in a pair of particle i.
fn wall_pressure(world: &World, i: usize, pair: &Pair) -> f64 {
    if is_volume(world, pair) { 0.0 } else { world.sorted_velocity[i][3] }
}

/// −1/`ρ_i` Σ `V_j` (`p_i` + `p_j`) ∇W: (M 10) with the sum, since the mean gives half the gradient
/// (tests/suite/forces.rs).
pub(crate) fn muller(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let pressure = |s: usize| world.sorted_velocity[s][3];
    acceleration(world, i, pairs, |pair| {
        let other = match is_wall(world, pair) {
            true => wall_pressure(world, i, pair),
            false => pressure(pair.j),
        };
        volume(world, pair) * (pressure(i) + other)
    })
}

/// −Σ `m_j` (`p_i/ρ_i²` + `p_j/ρ_j²`) ∇W (Monaghan 1992) with masses written as volumes, and of walls 2 `V_b` `p_i`, or `V_b` `p_i` where
/// densities follow the continuity equation; −Σ `V_j` (`p_i` + `p_j`) ∇W
/// where one of a pair grows in a mouth.
pub(crate) fn wcsph(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let pressure = |s: usize| world.sorted_velocity[s][3];
    let own = world.sorted_position[i][3];
    acceleration(world, i, pairs, |pair| {
        let other = volume(world, pair);
        let grows = world.params.counts.emitters > 0 && own.min(other) < 0.9 * own.max(other);
        if is_wall(world, pair) {
            other * (pressure(i) + world.number("wcsph.image") * wall_pressure(world, i, pair))
        } else if grows {
            other * (pressure(i) + pressure(pair.j))
        } else {
            own * pressure(i) + other.powi(2) * pressure(pair.j) / own
        }
    })
}
