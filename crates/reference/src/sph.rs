//! Shared by all SPH solvers (`wgsl/sph/`).

use crate::World;
use crate::kernels::Kernels;
use crate::pairs::Pair;

/// Fluid particles with another one nearer than half a spacing.
pub(crate) fn close(world: &mut World) {
    world.find_pairs();
    let half = f64::from(world.params.world.particle_radius);
    let fluid = world.sorted_fluid();
    let is_close = |i: &&usize| {
        let near = |pair: &Pair| pair.j != **i && pair.r < half && fluid.contains(&pair.j);
        world.pairs.of(**i).iter().any(near)
    };
    let count = fluid.iter().filter(is_close).count();
    world.words_mut("close_count")[0] += count as u32;
}

/// Density by summation (M 3) in rest volumes, calibrated:
/// `ρ_i = ρ0_i c Σ_j V0_j W_poly6(r_ij)`, with `V_b` of boundary particles (Akinci 2012, 6).
pub(crate) fn density(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    let calibration = f64::from(world.params.kernel.density_calibration);
    world.find_pairs();
    for i in world.sorted_fluid() {
        let rest_density = f64::from(world.material(world.sorted_identity[i]).rest_density);
        let neighbours = world.pairs.of(i).iter();
        let sum: f64 =
            neighbours.map(|p| world.sorted_position[p.j][3].abs() * kernels.density(p.r)).sum();
        world.density[i] = rest_density * calibration * sum;
    }
}
