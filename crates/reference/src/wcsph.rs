//! Becker, Teschner 2007 (`wgsl/wcsph/`).

use glam::{DMat3, DVec3, DVec4};

use crate::World;
use crate::kernels::Kernels;
use crate::pairs::Pair;
use crate::space::xyz;

/// Density by the continuity equation (Monaghan 1992): the particle's previous density, plus Δt times the
/// rate of change of the sum in `sph/density`.
pub(crate) fn continuity(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    let scale = f64::from(world.params.kernel.density_calibration) * f64::from(world.control.dt);
    world.find_pairs();
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

/// Densities before the step, in cell order.
pub(crate) fn before(world: &mut World) {
    for i in world.sorted_fluid() {
        world.density[i] = world.position[world.order[i] as usize][3];
    }
}

/// Neighbours of a particle that are fluid of its material.
fn alike(world: &World, i: usize) -> impl Iterator<Item = &Pair> {
    let matter = |s: usize| world.sorted_identity[s][1] & 0xffff;
    let is_alike =
        move |pair: &&Pair| world.sorted_position[pair.j][3] > 0.0 && matter(pair.j) == matter(i);
    world.pairs.of(i).iter().filter(is_alike)
}

/// Gradient of s = ρ/ρ0 with the inverse of the moments M = −Σ V0 ∇W ⊗ r (Randles, Libersky 1996; Antuono et al. 2010, 6),
/// which is damped where det M is near 0.01 and below, and s − 1.
pub(crate) fn slope(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    world.find_pairs();
    let excess = |world: &World, s: usize| {
        world.density[s] / f64::from(world.material(world.sorted_identity[s]).rest_density) - 1.0
    };
    for i in world.sorted_fluid() {
        let (mut moments, mut sum) = (DMat3::ZERO, DVec3::ZERO);
        for pair in alike(world, i) {
            let gradient = world.sorted_position[pair.j][3] * kernels.density_gradient(pair.offset);
            let x = pair.offset;
            moments -= DMat3::from_cols(gradient * x.x, gradient * x.y, gradient * x.z);
            sum += (excess(world, pair.j) - excess(world, i)) * gradient;
        }
        if world.params.world.dimensions == 2 {
            moments.z_axis.z = 1.0;
        }
        let determinant = moments.determinant();
        let slope = match determinant {
            0.0 => DVec3::ZERO,
            _ => moments.inverse() * sum / (1.0 + (0.01 / determinant).powi(2)),
        };
        let value = slope.extend(excess(world, i)).to_array();
        world.floats_mut("density_slope")[4 * i..4 * i + 4].copy_from_slice(&value);
    }
}

/// Diffusion of s by δ c h/2, less that of the part that is linear (Antuono et al. 2010, 5).
pub(crate) fn diffuse(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    let scale = f64::from(world.params.kernel.density_calibration)
        * f64::from(world.control.dt)
        * world.number("wcsph.diffusion");
    world.find_pairs();
    let slope =
        |world: &World, s: usize| DVec4::from_slice(&world.floats("density_slope")[4 * s..]);
    for i in world.sorted_fluid() {
        let flow = |pair: &Pair| {
            let (own, other) = (slope(world, i), slope(world, pair.j));
            let linear = -0.5 * (own + other).truncate().dot(pair.offset);
            // Along the offset; of a pair at one place 0.
            let steep = kernels.density_gradient(pair.offset).dot(pair.offset)
                / pair.offset.length_squared();
            let steep = if pair.r > 0.0 { steep } else { 0.0 };
            -2.0 * world.sorted_position[pair.j][3] * steep * (other.w - own.w - linear)
        };
        let rate: f64 = alike(world, i).map(flow).sum();
        world.density[i] +=
            scale * rate * f64::from(world.material(world.sorted_identity[i]).rest_density);
    }
}

/// s − 1 before the step, in the lane of the pressure.
pub(crate) fn excess(world: &mut World) {
    for i in world.sorted_fluid() {
        let rest_density = f64::from(world.material(world.sorted_identity[i]).rest_density);
        let before = world.position[world.order[i] as usize][3];
        world.sorted_velocity[i][3] = before / rest_density - 1.0;
    }
}

/// The continuity equation, and diffusion by δ c h/2 of what differences of s exceed those by the hydrostatic pressure
/// (Fourtakas et al. 2019, 13–15): ψ = 2 (`s_j` − `s_i` − `s^H_ij`) `r_ij`/r², with `s^H` = ρ0 g·(`x_j` − `x_i`)/(ρ0 c²).
pub(crate) fn rate(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    let (strength, softness) = (world.number("wcsph.diffusion"), world.number("wcsph.softness"));
    continuity(world);
    let scale =
        strength * f64::from(world.params.kernel.density_calibration) * f64::from(world.control.dt);
    for i in world.sorted_fluid() {
        let gravity = world.gravity_of(world.sorted_identity[i]);
        let excess = |s: usize| world.sorted_velocity[s][3];
        let term = |pair: &Pair| {
            if pair.r == 0.0 {
                return 0.0;
            }
            let still = softness * gravity.dot(-pair.offset);
            let psi = 2.0 * (excess(pair.j) - excess(i) - still) * pair.offset / pair.r.powi(2);
            -world.sorted_position[pair.j][3] * psi.dot(kernels.density_gradient(pair.offset))
        };
        let sum: f64 = alike(world, i).map(term).sum();
        world.density[i] +=
            scale * sum * f64::from(world.material(world.sorted_identity[i]).rest_density);
    }
}

/// Pressure p = B((ρ/ρ0)^γ − 1) (Becker, Teschner 2007, 7), optionally clamped at 0, and volume V = m/ρ.
pub(crate) fn pressure(world: &mut World) {
    let gamma = world.number("wcsph.gamma");
    for i in world.sorted_fluid() {
        let material = world.material(world.sorted_identity[i]);
        let ratio = world.density[i] / f64::from(material.rest_density);
        world.set_pressure(i, f64::from(material.stiffness) * (ratio.powf(gamma) - 1.0));
    }
}
