//! Surface tension.

use glam::DVec3;

use super::{density, volume};
use crate::World;
use crate::kernels::Kernels;
use crate::pairs::Pair;

/// −σ/`ρ_i` ∇²c n/|n| where |n| > l (M 19), n = Σ `V_j` ∇W (M 16), and ∇²c of the colour field (M 15).
pub(super) fn color_field(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let normal: DVec3 =
        pairs.iter().map(|p| volume(world, p) * kernels.density_gradient(p.offset)).sum();
    if normal.length() <= f64::from(world.params.sph.surface_threshold) {
        return DVec3::ZERO;
    }
    let laplacian: f64 =
        pairs.iter().map(|p| volume(world, p) * kernels.density_laplacian(p.r)).sum();
    let tension = f64::from(world.material(world.sorted_identity[i]).surface_tension);
    -tension * laplacian * normal.normalize() / density(world, i)
}
