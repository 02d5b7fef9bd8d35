//! Forces on fluid particles: the twins of the terms in `wgsl/terms/`, and of the walk that sums them
//! (`wgsl/sph/forces.wgsl`).

pub(crate) mod pressure;
pub(crate) mod tension;
pub(crate) mod viscosity;

use glam::DVec3;
use meniscus_model::params::{KIND_FLUID, KIND_VOLUME};

use crate::World;
use crate::pairs::Pair;
use crate::space::with_w;
use crate::world::is_kind;

/// Acceleration in m/s² of the fluid particle in a sorted slot by one term, from these neighbours.
pub type Term = fn(&World, usize, &[Pair]) -> DVec3;

/// Acceleration (M 8) by all terms of the pass (`wgsl/sph/forces`).
pub(crate) fn forces(world: &mut World) {
    world.find_pairs();
    for i in world.sorted_fluid() {
        let sum = world.terms.iter().map(|term| term(world, i, world.pairs.of(i))).sum();
        world.acceleration[i] = with_w(sum, 0.0);
    }
}

/// Whether the other particle of a pair is a boundary particle, or stands for walls without particles.
fn is_wall(world: &World, pair: &Pair) -> bool {
    !is_kind(world.sorted_identity[pair.j], KIND_FLUID)
}

/// Whether it stands for walls without particles.
fn is_volume(world: &World, pair: &Pair) -> bool {
    is_kind(world.sorted_identity[pair.j], KIND_VOLUME)
}

/// m/V in kg/m³ of the fluid particle in a sorted slot.
fn density(world: &World, s: usize) -> f64 {
    f64::from(world.material(world.sorted_identity[s]).mass) / world.sorted_position[s][3]
}

/// V of the other particle of a pair in m³.
fn volume(world: &World, pair: &Pair) -> f64 {
    world.sorted_position[pair.j][3].abs()
}
