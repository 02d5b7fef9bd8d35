//! Surface tension.

use std::f64::consts::PI;

use glam::DVec3;

use super::{density, is_volume, is_wall, volume};
use crate::World;
use crate::kernels::{COINCIDENT, Kernels};
use crate::pairs::Pair;
use crate::tension::{vector, wetting};

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

/// χ, the weight of a particle by its distance from the surface.
fn weight(world: &World, s: usize) -> f64 {
    let h = f64::from(world.params.kernel.support_radius);
    let t = (2.0 * world.floats("tension_gradient")[4 * s + 3] / h - 1.0).clamp(0.0, 1.0);
    1.0 - t * t * (3.0 - 2.0 * t)
}

/// Σ `V0_j` ((`χ_i` + `χ_j`)/2 `S_ij` cos(3πr/2h) W r/|r| − `Γ_ij` W (`n_i` − `n_j`))/ρ0, and cohesion with walls.
pub(super) fn near_surface(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let h = f64::from(world.params.kernel.support_radius);
    let own = |name: &str| world.number(&format!("tension_near_surface.{name}"));
    let material = |s: usize| world.material(world.sorted_identity[s]);
    let sigma = |s: usize| f64::from(material(s).surface_tension);
    let [cohesion, difference, area, wall] = ["cohesion", "difference", "area", "wall"].map(own);
    let gradient = |s: usize| vector(world, "tension_gradient", s);
    let term = |pair: &Pair| {
        let w = kernels.density(pair.r);
        let direction = if pair.r < COINCIDENT * h { DVec3::ZERO } else { pair.offset / pair.r };
        let pull = (1.5 * PI * pair.r / h).cos() * w * direction;
        if is_volume(world, pair) {
            return DVec3::ZERO;
        }
        if is_wall(world, pair) {
            let (cosine, share) = (wetting(world, pair.j), own("share"));
            let attraction =
                own("wetting") * cosine.max(0.0) * kernels.density_gradient(pair.offset);
            let kept = 1.0 + (cosine + 1.0 - share).min(0.0) / share;
            let cohesion = kept * weight(world, i) * wall * pull;
            return sigma(i) * volume(world, pair) * (cohesion + attraction);
        }
        let (a, b) = (sigma(i), sigma(pair.j));
        let strength = match a.min(b) > 0.0 {
            true => cohesion * 0.5 * (a + b) - difference * (a - b).abs(),
            false => 0.0,
        };
        let weight = 0.5 * (weight(world, i) + weight(world, pair.j));
        let of_area = area * 0.5 * (a + b) * w * (gradient(i) - gradient(pair.j));
        f64::from(material(pair.j).rest_volume) * (weight * strength * pull - of_area)
    };
    pairs.iter().map(term).sum::<DVec3>() / f64::from(material(i).rest_density)
}
