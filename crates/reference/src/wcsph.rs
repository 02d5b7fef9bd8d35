//! Becker, Teschner 2007 (`wgsl/wcsph/`).

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

/// Pressure p = B((ρ/ρ0)^γ − 1) (Becker, Teschner 2007, 7), optionally clamped at 0, and volume V = m/ρ.
pub(crate) fn pressure(world: &mut World) {
    let gamma = world.number("wcsph.gamma");
    for i in world.sorted_fluid() {
        let material = world.material(world.sorted_identity[i]);
        let ratio = world.density[i] / f64::from(material.rest_density);
        world.set_pressure(i, f64::from(material.stiffness) * (ratio.powf(gamma) - 1.0));
    }
}
