//! Surface tension.

use std::f64::consts::PI;

use glam::DVec3;

use super::{density, is_volume, is_wall, volume};
use crate::World;
use crate::kernels::{COINCIDENT, Kernels};
use crate::pairs::Pair;
use crate::tension::{vector, wetting};

/// −σ/`ρ_i` ∇²c n/|n| where |n| > l (M 19), n = Σ `V_j` ∇W (M 16), and ∇²c of the colour field (M 15).
pub(crate) fn color_field(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
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
    let distance = world.floats("tension_gradient")[4 * s + 3];
    if world.number("tension_near_surface.hard") > 0.0 {
        return if distance < h { 1.0 } else { 0.0 };
    }
    let t = (2.0 * distance / h - 1.0).clamp(0.0, 1.0);
    1.0 - t * t * (3.0 - 2.0 * t)
}

/// Σ `V0_j` ((`χ_i` + `χ_j`)/2 `S_ij` cos(3πr/2h) W r/|r| − `Γ_ij` W (`n_i` − `n_j`))/ρ0, and cohesion with walls.
pub(crate) fn near_surface(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
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

/// Direction from the other particle of a pair; 0 of particles in one place.
fn direction(world: &World, pair: &Pair) -> DVec3 {
    let h = f64::from(world.params.kernel.support_radius);
    if pair.r < COINCIDENT * h { DVec3::ZERO } else { pair.offset / pair.r }
}

/// σ in N/m of the fluid in a sorted slot.
fn sigma(world: &World, s: usize) -> f64 {
    f64::from(world.material(world.sorted_identity[s]).surface_tension)
}

/// Σ `V0_j` `S_ij` cos(3πr/2h) W r/|r|/ρ0 over all neighbours, and of walls (1 + cos θ) times as much as at 90°.
pub(crate) fn pairwise(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let h = f64::from(world.params.kernel.support_radius);
    let number = |name: &str| world.number(&format!("tension_pairwise.{name}"));
    let term = |pair: &Pair| {
        let pull = (1.5 * PI * pair.r / h).cos() * kernels.density(pair.r) * direction(world, pair);
        if is_volume(world, pair) {
            return DVec3::ZERO;
        }
        if is_wall(world, pair) {
            let strength = number("wall") * sigma(world, i) * (1.0 + wetting(world, pair.j));
            return strength * volume(world, pair) * pull;
        }
        let (a, b) = (sigma(world, i), sigma(world, pair.j));
        let mean = 0.5 * (a + b) - 0.5 * (a - b).abs();
        let rest = f64::from(world.material(world.sorted_identity[pair.j]).rest_volume);
        number("cohesion") * mean * rest * pull
    };
    let own = f64::from(world.material(world.sorted_identity[i]).rest_density);
    pairs.iter().map(term).sum::<DVec3>() / own
}

/// −Σ `K_ij` γ (`m_j` C r/|r| + (`m_i` + `m_j`)/(2 `m_i`) (`n_i` − `n_j`)) − Σ β ρ0 `V_b` A r/|r| (Akinci, Akinci,
/// Teschner 2013).
pub(crate) fn akinci(world: &World, i: usize, pairs: &[Pair]) -> DVec3 {
    let h = f64::from(world.params.kernel.support_radius);
    let number = |name: &str| world.number(&format!("tension_akinci.{name}"));
    let material = |s: usize| world.material(world.sorted_identity[s]);
    let rest = |s: usize| f64::from(material(s).rest_density);
    let mass = |s: usize| f64::from(material(s).mass);
    let gamma = |s: usize| {
        let bracket = number("cohesion") * rest(s) + number("area");
        sigma(world, s) / (rest(s) * bracket)
    };
    let normal = |s: usize| vector(world, "akinci_normal", s);
    let density = |s: usize| world.floats("akinci_normal")[4 * s + 3];
    let term = |pair: &Pair| {
        let (j, r) = (pair.j, pair.r.min(h));
        if is_volume(world, pair) || pair.r >= h {
            return DVec3::ZERO;
        }
        if is_wall(world, pair) {
            let shape = match 2.0 * r > h {
                true => (-4.0 * r * r / (h * h) + 6.0 * r / h - 2.0).max(0.0).powf(0.25),
                false => 0.0,
            };
            let by_angle = number("adhesion") * sigma(world, i) / rest(i);
            let named = if sigma(world, i) > 0.0 { number("named") * rest(i) } else { 0.0 };
            let strength = (by_angle + named) * (1.0 + wetting(world, j));
            return -strength * volume(world, pair) * shape * direction(world, pair);
        }
        let mean = match gamma(i).min(gamma(j)) > 0.0 {
            true => 0.5 * (gamma(i) + gamma(j)),
            false => 0.0,
        };
        let arch = (h - r).powi(3) * r.powi(3);
        let cohesion = 32.0 / (PI * h.powi(9))
            * if 2.0 * r > h { arch } else { 2.0 * arch - h.powi(6) / 64.0 };
        let k = (rest(i) + rest(j)) / (density(i) + density(j));
        let share = 0.5 * (mass(i) + mass(j)) / mass(i);
        let area = share * (normal(i) - normal(j));
        -k * mean * (mass(j) * cohesion * direction(world, pair) + area)
    };
    pairs.iter().map(term).sum()
}
