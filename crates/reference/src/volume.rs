//! Walls without particles (`wgsl/solid/volume.wgsl`).

use glam::DVec3;
use meniscus_model::params::{KIND_BOUNDARY, KIND_VOLUME, RESPONSE_VOLUME};

use crate::World;
use crate::body::posed;
use crate::kernels::Kernels;
use crate::solid::{contact, distinct_walls, wall_velocity};
use crate::space::{displacement, driven_of, with_w, xyz};
use crate::world::is_kind;

/// Least volume in m³, by whose sign the neighbour is one of a wall also where there is no wall.
const LEAST: f64 = 1e-20;

/// The neighbour of each fluid particle that stands for all walls near it. Their share in
/// the density, `1 − Π (1 − s_k)`, and its gradient, `Σ_k Π_{j≠k} (1 − s_j) ∇s_k`, are those of V W(r).
pub(crate) fn volume(world: &mut World) {
    let h = f64::from(world.params.kernel.support_radius);
    let kernels = Kernels::of(&world.params);
    let driven = 0..world.params.counts.driven as usize;
    let solids: Vec<_> = driven.map(|number| posed(world, number)).collect();
    for s in world.handled() {
        if is_kind(world.sorted_identity[s], KIND_BOUNDARY) {
            continue;
        }
        let x = xyz(world.sorted_position[s]);
        // Share, h times its slope, normal, velocity and friction of each wall.
        let mut near = Vec::new();
        let own = driven_of(&world.params, world.params.world_of(world.sorted_identity[s]));
        for solid in solids[own].iter().filter(|own| own.collider.response == RESPONSE_VOLUME) {
            for wall in 0..distinct_walls(&solid.collider) {
                let contact = contact(world, solid, wall, x);
                let [share, slope, _] = between(world, contact.distance / h);
                let arm = displacement(&world.params, x, solid.position)
                    - contact.distance * contact.normal;
                let velocity = wall_velocity(world, solid, x, arm);
                let friction = f64::from(solid.collider.damping);
                near.push((share, slope * contact.normal, velocity, friction));
            }
        }
        let share = 1.0 - near.iter().map(|(share, ..)| 1.0 - share).product::<f64>();
        let slope: DVec3 = (0..near.len())
            .map(|k| {
                let others = near.iter().enumerate().filter(|(j, _)| *j != k);
                others.map(|(_, (share, ..))| 1.0 - share).product::<f64>() * near[k].1
            })
            .sum();
        let total: f64 = near.iter().map(|(share, ..)| share).sum();
        let mean = |sum: f64| if total > 0.0 { sum / total } else { 0.0 };
        let velocity: DVec3 = near.iter().map(|(share, _, v, _)| *share * *v).sum();
        let friction: f64 = near.iter().map(|(share, .., friction)| share * friction).sum();
        let steepness = slope.length();
        let t = if steepness > 0.0 { steepness / (steepness + share) } else { 0.0 };
        let r = between(world, t)[2] * h;
        let calibration = f64::from(world.params.kernel.density_calibration);
        let volume = (share / (calibration * kernels.density(r))).max(LEAST);
        let place = x - r * slope.try_normalize().unwrap_or(DVec3::Y);
        let slot = world.params.counts.capacity as usize + s;
        world.sorted_position[slot] = with_w(place, -volume);
        world.sorted_velocity[slot] = with_w(velocity.map(mean), mean(friction));
        world.sorted_identity[slot] = [0, KIND_VOLUME];
    }
}

/// Share, slope and distance between the entries of the table, at 0 to 1.
fn between(world: &World, at: f64) -> [f64; 3] {
    let last = world.wall_shares.len() - 1;
    let place = at.clamp(0.0, 1.0) * last as f64;
    let k = (place as usize).min(last.saturating_sub(1));
    let part = place - k as f64;
    let lane = |lane: usize| {
        let [low, high] = [k, (k + 1).min(last)].map(|k| world.wall_shares[k][lane]);
        low + part * (high - low)
    };
    [lane(0), lane(1), lane(2)]
}
