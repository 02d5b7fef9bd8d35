//! The fluid at points of a program (`wgsl/query/`).

use glam::DVec3;
use meniscus_methods::passes::NO_LEVEL;

use crate::World;
use crate::kernels::Kernels;
use crate::space::{with_w, xyz};
use crate::surface::near;

/// The points that are asked for, with their numbers.
fn asked(world: &World) -> Vec<(usize, DVec3)> {
    let all = world.query_point.iter().take(world.stage.element_count as usize).enumerate();
    all.filter(|(_, point)| point[3] > 0.0).map(|(k, point)| (k, xyz(*point))).collect()
}

/// Fluid near a place by sorted slots, with V W.
fn weights(world: &World, x: DVec3) -> Vec<(usize, f64)> {
    let kernels = Kernels::of(&world.params);
    let weight =
        |(j, r): (usize, f64)| (j, world.sorted_position[j][3].max(0.0) * kernels.density(r));
    near(world, x).map(weight).collect()
}

/// Share of a place that the fluid fills.
fn share(world: &World, x: DVec3) -> f64 {
    weights(world, x).iter().map(|(_, w)| w).sum()
}

/// Density and share of the place, and means of velocity and pressure; all 0 without fluid.
pub(crate) fn flow(world: &mut World) {
    let gravity = world.params.world.gravity.as_dvec3();
    for (k, x) in asked(world) {
        let (mut share, mut density, mut velocity) = (0.0, 0.0, DVec3::ZERO);
        let (mut borne, mut weight) = (0.0, 0.0);
        for (j, w) in weights(world, x) {
            let [vx, vy, vz, pressure] = world.velocity[world.order[j] as usize];
            let rest_density = f64::from(world.material(world.sorted_identity[j]).rest_density);
            let away = crate::space::displacement(&world.params, x, xyz(world.sorted_position[j]));
            share += w;
            density += w * rest_density;
            velocity += w * DVec3::new(vx, vy, vz);
            borne += w * pressure;
            weight += w * rest_density * gravity.dot(away);
        }
        let divisor = if share > 0.0 { share } else { 1.0 };
        let pressure = borne + weight.clamp(-borne.abs(), borne.abs());
        world.query_velocity[k] = with_w(velocity / divisor, density);
        world.query_pressure[k] = [pressure / divisor, share];
    }
}

/// Heights of the surface above the points.
pub(crate) fn level(world: &mut World) {
    let up = -world.params.world.gravity.as_dvec3().normalize_or_zero();
    let h = f64::from(world.params.kernel.support_radius);
    let step = 0.5 * f64::from(world.params.world.particle_radius);
    let heights = world.sorted_fluid().into_iter().map(|s| up.dot(xyz(world.sorted_position[s])));
    let [low, high] = heights
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], y| [low.min(y), high.max(y)]);
    for (k, x) in asked(world) {
        // Beyond them there is nothing.
        let first = ((low - h - up.dot(x)) / step).floor();
        let count = if up == DVec3::ZERO { 0.0 } else { (high + h - low + h) / step + 3.0 };
        let place = |n: u32| first + f64::from(n);
        let shares: Vec<_> =
            (0..count.max(0.0) as u32).map(|n| share(world, x + place(n) * step * up)).collect();
        let full = 0.5 * shares.iter().copied().fold(0.0, f64::max).min(1.0);
        let last = shares.iter().rposition(|share| *share >= full && *share > 0.0);
        world.query_level[k] = last.map_or(f64::from(NO_LEVEL), |last| {
            let here = shares[last];
            let above = shares.get(last + 1).copied().unwrap_or(0.0);
            let part = if here > above { (here - full) / (here - above) } else { 0.0 };
            (place(last as u32) + part) * step
        });
    }
}
