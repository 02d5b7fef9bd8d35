//! Kernels at a free surface: where it lies, and the tension of forces near it.

use std::f64::consts::PI;

use meniscus_scene::Kernel;

use super::{density, plane_sums, pressure_slope, spiky_gradient};

/// ∫ `f` from `a` to `b` by Simpson's rule.
fn integral(a: f64, b: f64, f: impl Fn(f64) -> f64) -> f64 {
    const STEPS: u32 = 400;
    let width = (b - a) / f64::from(STEPS);
    let at = |k: u32| f(a + f64::from(k) * width);
    let inner = (1..STEPS).map(|k| if k % 2 == 1 { 4.0 * at(k) } else { 2.0 * at(k) });
    width / 3.0 * (at(0) + inner.sum::<f64>() + at(STEPS))
}

/// ∫ `of`(r) over the plane (line in 2-D) at the distance z from the centre of a kernel with the support 1.
fn over_plane(dimensions: u32, z: f64, of: impl Fn(f64) -> f64) -> f64 {
    let reach = (1.0 - z * z).max(0.0).sqrt();
    let around = |s: f64| if dimensions == 2 { 2.0 } else { 2.0 * PI * s };
    integral(0.0, reach, |s| around(s) * of((z * z + s * s).sqrt().min(1.0)))
}

/// δ in m: a flat surface this far beyond its outermost particles has above it the share of their kernels that the rest
/// lattice lacks there, so that densities divided by the full share are those at rest.
#[must_use]
pub fn surface_offset(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let planes = plane_sums(h, spacing, dimensions, |r| density(kernel, h, dimensions, r));
    let beyond: f64 = planes[1..].iter().sum();
    // What lies between the centre and the surface, beside the half below.
    let wanted = (planes[0] + beyond) / (planes[0] + 2.0 * beyond) - 0.5;
    let plane = |z: f64| over_plane(dimensions, z, |r| density(kernel, 1.0, dimensions, r));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if integral(0.0, middle, plane) < wanted { low = middle } else { high = middle }
    }
    h * low
}

/// cos(3πr/2h), the factor of cohesion in W (Tartakovsky, Meakin 2005): repulsive below h/3.
fn cohesion_shape(h: f64, r: f64) -> f64 {
    (1.5 * PI * r / h).cos()
}

/// k: pair forces S V V cos(3πr/2h) W have the surface tension k S h² (Fowler 1937), −(π/8) ∫ r⁴ cos(3πr/2h) W dr in
/// 3-D and −(1/3) ∫ r³ … in 2-D, at h = 1.
#[must_use]
pub fn cohesion(kernel: Kernel, dimensions: u32) -> f64 {
    let (factor, power) = fowler(dimensions);
    let term =
        |r: f64| r.powi(power) * cohesion_shape(1.0, r) * density(kernel, 1.0, dimensions, r);
    // The cubic spline has a knot at ½.
    -factor * (integral(0.0, 0.5, term) + integral(0.5, 1.0, term))
}

/// `k_A`: pair forces −Γ V V W (`n_i` − `n_j`), with h times the gradient of the volumes' sum for n, have the surface
/// tension `k_A` Γ h². By the virial of a flat surface, ½ ∫∫ w(x − y) (`w_g`(x) − `w_g`(y)) (y − x) dx dy over the
/// depths x, y > 0, where w and `w_g` are the integrals of both kernels over planes, at h = 1.
#[must_use]
pub fn area(kernel: Kernel, dimensions: u32) -> f64 {
    let gradient = |r: f64| match (kernel, dimensions) {
        // Spiky, C (h − r)³ with the third of its slope's constant.
        (Kernel::Muller, _) => spiky_gradient(1.0, dimensions) / 3.0 * (1.0 - r).powi(3),
        _ => density(kernel, 1.0, dimensions, r),
    };
    of_area(dimensions, &|r| density(kernel, 1.0, dimensions, r), &gradient)
}

/// The same with unit normals of the particles whose smallest eigenvalue λ of A is at most ¾, and 0 deeper.
#[must_use]
pub fn unit_area(kernel: Kernel, dimensions: u32) -> f64 {
    const NODES: usize = 400;
    let node = |k: usize| k as f64 / NODES as f64;
    let w: Vec<f64> = (0..=NODES)
        .map(|k| over_plane(dimensions, node(k), |r| density(kernel, 1.0, dimensions, r)))
        .collect();
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        match smallest_eigenvalue(kernel, dimensions, middle) < 0.75 {
            true => low = middle,
            false => high = middle,
        }
    }
    let outer = |k: usize| f64::from(u8::from(node(k) <= low));
    sum_of_area(NODES, &w, &outer)
}

/// λ of a fluid that ends at a plane, at this depth below it in support radii: ½ + ∫ z² (−W'/r) over what is nearer
/// to it, across the plane.
fn smallest_eigenvalue(kernel: Kernel, dimensions: u32, depth: f64) -> f64 {
    let weight = |r: f64| -pressure_slope(kernel, 1.0, dimensions, r) / r.max(1e-4);
    0.5 + integral(0.0, depth, |z| z * z * over_plane(dimensions, z, weight))
}

/// Tension at h = 1 of pair forces `weight`(r) (`n_i` − `n_j`), with n by the gradient of a kernel.
fn of_area(dimensions: u32, weight: &dyn Fn(f64) -> f64, kernel: &dyn Fn(f64) -> f64) -> f64 {
    const NODES: usize = 400;
    let values = |of: &dyn Fn(f64) -> f64| -> Vec<f64> {
        (0..=NODES).map(|k| over_plane(dimensions, k as f64 / NODES as f64, of)).collect()
    };
    let (w, slope) = (values(weight), values(kernel));
    // Beyond twice the support gradients vanish.
    sum_of_area(NODES, &w, &|k| slope.get(k).copied().unwrap_or(0.0))
}

/// ½ ∫∫ w(x − y) (n(x) − n(y)) (y − x) dx dy over depths, by the values at so many nodes in h; x and y may be exchanged.
fn sum_of_area(nodes: usize, w: &[f64], n: &dyn Fn(usize) -> f64) -> f64 {
    let half = |k: usize| if k == 0 { 0.5 } else { 1.0 };
    let mut sum = 0.0;
    for x in 0..=nodes {
        for y in x..=x + nodes {
            sum += half(x) * w[y - x] * (n(x) - n(y)) * (y - x) as f64;
        }
    }
    sum / (nodes * nodes * nodes) as f64
}

/// Factor of a wall's cohesion with which one layer of boundary particles pulls like the lattice that it stands for.
#[must_use]
pub fn wall_cohesion(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let force = |r: f64| cohesion_shape(h, r) * density(kernel, h, dimensions, r);
    one_layer(kernel, h, spacing, dimensions, force)
}

/// Factor of a wall's pair forces by which one layer of boundary particles pulls like the lattice that it stands for:
/// Σ k `E_k` / (Σ `P_k` / `P_1` · Σ `E_k`), where `E_k` is the potential of the lattice's plane k spacings away, and
/// `P_k` is as in [`wall_factor`](super::wall_factor).
fn one_layer(
    kernel: Kernel,
    h: f64,
    spacing: f64,
    dimensions: u32,
    force: impl Fn(f64) -> f64,
) -> f64 {
    let potential = |r: f64| if r < h { integral(r, h, &force) } else { 0.0 };
    let energies = plane_sums(h, spacing, dimensions, potential);
    let planes = plane_sums(h, spacing, dimensions, |r| density(kernel, h, dimensions, r));
    let sum = |values: &[f64]| values[1..].iter().sum::<f64>();
    let work: f64 = energies.iter().enumerate().map(|(k, energy)| k as f64 * energy).sum();
    work * planes[1] / (sum(&planes) * sum(&energies))
}

/// C of cohesion at h = 1 (Akinci, Akinci, Teschner 2013, 2); repulsive below 0.273 h.
fn akinci_cohesion_shape(q: f64) -> f64 {
    let arch = ((1.0 - q) * q).powi(3);
    32.0 / PI * if q > 0.5 { arch } else { 2.0 * arch - 1.0 / 64.0 }
}

/// A of adhesion at h = 1, between h/2 and h (Akinci, Akinci, Teschner 2013, 7).
fn akinci_adhesion_shape(q: f64) -> f64 {
    0.007 * (-4.0 * q * q + 6.0 * q - 2.0).max(0.0).sqrt().sqrt()
}

/// Factor and power of r in Fowler's integral of a pair force.
fn fowler(dimensions: u32) -> (f64, i32) {
    if dimensions == 2 { (1.0 / 3.0, 3) } else { (PI / 8.0, 4) }
}

/// `k_C`: pair forces −ρ0 V ρ0 V C(r) r⃗/r have the surface tension `k_C` ρ0² h² in 3-D, `k_C` ρ0² h in 2-D (Fowler
/// 1937).
#[must_use]
pub fn akinci_cohesion(dimensions: u32) -> f64 {
    let (factor, power) = fowler(dimensions);
    let term = |q: f64| q.powi(power) * akinci_cohesion_shape(q);
    factor * (integral(0.0, 0.5, term) + integral(0.5, 1.0, term))
}

/// `k_a`: pair forces −ρ0 V (`n_i` − `n_j`) within h, with h times the gradient of the volumes' sum for n, have the
/// surface tension `k_a` ρ0 h⁵/V in 3-D, `k_a` ρ0 h⁴/V in 2-D.
#[must_use]
pub fn akinci_area(kernel: Kernel, dimensions: u32) -> f64 {
    let gradient = |r: f64| density(kernel, 1.0, dimensions, r);
    of_area(dimensions, &|_| 1.0, &gradient)
}

/// β ρ0²/σ in m⁻², in 2-D m⁻¹, with which the adhesion to one layer of boundary particles takes the work of adhesion of
/// a contact angle of 90°.
#[must_use]
pub fn akinci_adhesion(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let (factor, power) = fowler(dimensions);
    // A is 0.007 (cos² t/4)^¼ at q = ¾ + ¼ sin t.
    let term = |t: f64| {
        let q = 0.75 + 0.25 * t.sin();
        q.powi(power) * akinci_adhesion_shape(q) * 0.25 * t.cos()
    };
    let k = factor * integral(-0.5 * PI, 0.5 * PI, term);
    let layer = one_layer(kernel, h, spacing, dimensions, |r| akinci_adhesion_shape(r / h));
    layer / (2.0 * k * h.powi(dimensions as i32 - 1))
}

/// κ/w in m⁻¹ of a wall's potential −κ V0 `V_b` W that it takes the work w per area to draw the fluid off.
///
/// A fluid at rest has layers k spacings from the boundary particles, whose volumes are Σ P/`P_1` of the fluid's
/// ([`wall_factor`](super::wall_factor)): the work is κ dx (Σ P)²/`P_1`.
#[must_use]
pub fn wall_attraction(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let sums = plane_sums(h, spacing, dimensions, |r| density(kernel, h, dimensions, r));
    let volume = spacing.powi(dimensions as i32);
    let beyond: f64 = sums[1..].iter().sum();
    sums[1] / (volume * spacing * beyond * beyond)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    /// Work that it takes to draw a lattice off one layer of boundary particles, summed site by site.
    #[test]
    fn the_work_against_a_wall_s_attraction_is_known() {
        let spacing = 0.05;
        for (kernel, dimensions, ratio) in
            [(Kernel::CubicSpline, 2, 2.5), (Kernel::WendlandC2, 3, 3.0), (Kernel::Muller, 3, 2.5)]
        {
            let h = ratio * spacing;
            let reach = || -4..=4_i32;
            let flat = |z: &i32| dimensions == 3 || *z == 0;
            let layer = |k: i32| -> f64 {
                let sites = reach().flat_map(|x| reach().filter(flat).map(move |z| (x, z)));
                let r =
                    |x: i32, z: i32| DVec3::new(x.into(), k.into(), z.into()).length() * spacing;
                sites.map(|(x, z)| density(kernel, h, dimensions, r(x, z))).sum()
            };
            let volume = spacing.powi(dimensions as i32);
            // Boundary particles have γ/ΣW, the sum in their own layer.
            let wall = super::super::wall_factor(kernel, h, spacing, dimensions) / layer(0);
            let kappa = wall_attraction(kernel, h, spacing, dimensions);
            let potential: f64 = (1..=4).map(|k| kappa * volume * wall * layer(k)).sum();
            let work = potential / spacing.powi(dimensions as i32 - 1);
            assert!((work - 1.0).abs() < 1e-9, "{kernel:?}, {dimensions}-D: {work} J/m² for 1");
        }
    }

    #[test]
    fn forces_near_the_surface_have_a_known_tension() {
        let cases = [
            (Kernel::CubicSpline, [0.004_725_144_1, 0.004_553_598_3], [0.0388, 0.0402]),
            (Kernel::WendlandC2, [0.003_924_35, 0.003_563_174], [0.0366, 0.0377]),
            (Kernel::Muller, [0.006_319_908_3, 0.006_841_191_5], [0.0460, 0.0503]),
        ];
        for (kernel, cohesions, areas) in cases {
            for (dimensions, (k, k_a)) in [3, 2].into_iter().zip(cohesions.into_iter().zip(areas)) {
                let found = [cohesion(kernel, dimensions), area(kernel, dimensions)];
                assert!((found[0] - k).abs() < 1e-9, "{kernel:?}, {dimensions}-D: {found:?}");
                assert!(
                    (found[1] / k_a - 1.0).abs() < 0.02,
                    "{kernel:?}, {dimensions}-D: {found:?}"
                );
            }
        }
    }

    #[test]
    fn unit_normals_have_a_known_tension() {
        let kernels = [Kernel::CubicSpline, Kernel::WendlandC2, Kernel::Muller];
        let expected = [[0.0340, 0.0358], [0.0301, 0.0313], [0.0394, 0.0421]];
        for (kernel, expected) in kernels.into_iter().zip(expected) {
            for (dimensions, expected) in [3, 2].into_iter().zip(expected) {
                let found = unit_area(kernel, dimensions);
                assert!(
                    (found / expected - 1.0).abs() < 0.01,
                    "{kernel:?}, {dimensions}-D: {found}"
                );
                // Deep inside A is the unit matrix.
                let inside = smallest_eigenvalue(kernel, dimensions, 1.0);
                assert!((inside - 1.0).abs() < 1e-3, "{kernel:?}, {dimensions}-D: {inside}");
            }
        }
    }

    #[test]
    fn the_forces_of_akinci_et_al_have_a_known_tension() {
        for (dimensions, k_c, k_a) in [(3, 0.002_982_954_5, 0.34), (2, 0.003_907_822_3, 0.296)] {
            let found = [akinci_cohesion(dimensions), akinci_area(Kernel::CubicSpline, dimensions)];
            assert!((found[0] - k_c).abs() < 1e-9, "{dimensions}-D: {found:?}");
            assert!((found[1] / k_a - 1.0).abs() < 2e-3, "{dimensions}-D: {found:?}");
        }
        // C as it is in other programs.
        assert!((akinci_cohesion_shape(0.5) - 1.0 / (2.0 * PI)).abs() < 1e-12);
        assert!((akinci_cohesion_shape(0.0) + 1.0 / (2.0 * PI)).abs() < 1e-12);
        assert!(akinci_cohesion_shape(0.272_898_990_5).abs() < 1e-9);
        let (h, spacing) = (0.1, 0.05);
        let force = |r: f64| akinci_adhesion_shape(r / h);
        let layer = one_layer(Kernel::CubicSpline, h, spacing, 3, force);
        let k_ad = layer / (2.0 * akinci_adhesion(Kernel::CubicSpline, h, spacing, 3) * h * h);
        assert!((k_ad / 0.000_320_48 - 1.0).abs() < 1e-4, "{k_ad}");
    }

    #[test]
    fn the_surface_lies_beyond_its_particles() {
        let cases = [
            (Kernel::CubicSpline, 3, [0.5833, 0.5466, 0.5309, 0.5158]),
            (Kernel::CubicSpline, 2, [0.5764, 0.5456, 0.5289, 0.5153]),
            (Kernel::WendlandC2, 3, [0.6100, 0.5579, 0.5384, 0.5200]),
            (Kernel::WendlandC2, 2, [0.6031, 0.5586, 0.5393, 0.5210]),
            (Kernel::Muller, 3, [0.5558, 0.5297, 0.5204, 0.5112]),
            (Kernel::Muller, 2, [0.5405, 0.5281, 0.5172, 0.5096]),
        ];
        for (kernel, dimensions, expected) in cases {
            for (ratio, expected) in [2.0, 2.5, 3.0, 4.0].into_iter().zip(expected) {
                let found = surface_offset(kernel, ratio * 0.05, 0.05, dimensions) / 0.05;
                assert!(
                    (found - expected).abs() < 1e-4,
                    "{kernel:?}, {dimensions}-D, {ratio}: {found}"
                );
            }
        }
    }

    #[test]
    fn a_layer_of_a_wall_pulls_like_its_lattice() {
        let cases = [
            (Kernel::CubicSpline, 3, [1.0, 0.9860, 0.9570, 0.9330]),
            (Kernel::CubicSpline, 2, [1.0, 0.9807, 0.9600, 0.9608]),
            (Kernel::WendlandC2, 3, [1.0, 0.9931, 0.9699, 0.9538]),
            (Kernel::Muller, 3, [1.0, 0.9757, 0.9273, 0.8756]),
        ];
        for (kernel, dimensions, expected) in cases {
            for (ratio, expected) in [2.0, 2.5, 3.0, 4.0].into_iter().zip(expected) {
                let found = wall_cohesion(kernel, ratio * 0.05, 0.05, dimensions);
                assert!(
                    (found - expected).abs() < 1e-4,
                    "{kernel:?}, {dimensions}-D, {ratio}: {found}"
                );
            }
        }
    }

    /// Forces of cohesion between all particles of a flat lattice, and between those near its surface: weights of pairs
    /// that are 1 if both, either or the mean of both are near make 2, 0 and 1 times the tension of all pairs.
    #[test]
    fn weights_by_the_mean_of_two_particles_keep_the_tension() {
        let (h, kernel): (f64, _) = (2.5, Kernel::CubicSpline);
        let layers = 12;
        let tension = |weight: &dyn Fn(bool, bool) -> f64| -> f64 {
            let mut sum = 0.0;
            for i in 0..layers {
                for j in 0..layers {
                    for (x, y) in (-3..=3).flat_map(|x| (-3..=3).map(move |y| (x, y))) {
                        let r = DVec3::new(x.into(), y.into(), f64::from(i - j));
                        let length = r.length();
                        if length == 0.0 || length >= h {
                            continue;
                        }
                        // The other surface of the slab is not looked at.
                        let near = |k: i32| f64::from(k) < h;
                        let seen = |k: i32| k < layers / 2;
                        let pair =
                            0.5 * (f64::from(u8::from(seen(i))) + f64::from(u8::from(seen(j))));
                        let force =
                            cohesion_shape(h, length) * density(kernel, h, 3, length) / length;
                        // P_N − P_T of the virial.
                        let apart = r.z * r.z - 0.5 * (r.x * r.x + r.y * r.y);
                        sum += 0.5 * pair * weight(near(i), near(j)) * force * apart;
                    }
                }
            }
            sum
        };
        let value = |near: bool| f64::from(u8::from(near));
        let all = tension(&|_, _| 1.0);
        let of = |weight: &dyn Fn(bool, bool) -> f64| tension(weight) / all;
        let found = [
            of(&|a, b| value(a && b)),
            of(&|a, b| value(a || b)),
            of(&|a, b| 0.5 * (value(a) + value(b))),
        ];
        for (found, expected) in found.into_iter().zip([2.0, 0.0, 1.0]) {
            assert!((found - expected).abs() < 1e-3, "{found}, not {expected}");
        }
    }
}
