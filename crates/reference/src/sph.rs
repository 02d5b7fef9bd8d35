//! Shared by all SPH solvers (`wgsl/sph/`).

use crate::World;
use crate::kernels::Kernels;

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
