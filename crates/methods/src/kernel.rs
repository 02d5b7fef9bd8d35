//! Smoothing kernels in 2-D and 3-D: their constants, and sums over the rest lattice, the square or cubic one in which fluid
//! starts. The formulas are in `wgsl/common/kernels*.wgsl`.

mod free_surface;

use std::f64::consts::PI;

use meniscus_scene::Kernel;

pub use free_surface::{
    akinci_adhesion, akinci_area, akinci_cohesion, area, cohesion, surface_offset, unit_area,
    wall_attraction, wall_cohesion,
};

/// C of poly6, W = C (h² − r²)³.
#[must_use]
pub fn poly6(h: f64, dimensions: u32) -> f64 {
    match dimensions {
        2 => 4.0 / (PI * h.powi(8)),
        _ => 315.0 / (64.0 * PI * h.powi(9)),
    }
}

/// C of spiky's gradient, ∇W = −C (h − r)² r⃗/r.
#[must_use]
pub fn spiky_gradient(h: f64, dimensions: u32) -> f64 {
    match dimensions {
        2 => 30.0 / (PI * h.powi(5)),
        _ => 45.0 / (PI * h.powi(6)),
    }
}

/// C of the viscosity kernel's Laplacian, ∇²W = C (h − r); in 2-D, of the logarithmic kernel.
#[must_use]
pub fn viscosity_laplacian(h: f64, dimensions: u32) -> f64 {
    match dimensions {
        2 => 40.0 / (PI * h.powi(5)),
        _ => 45.0 / (PI * h.powi(6)),
    }
}

/// σ = W(0) of kernels with one shape for all quantities; for Müller's, W(0) of poly6.
#[must_use]
pub fn constant(kernel: Kernel, h: f64, dimensions: u32) -> f64 {
    match (kernel, dimensions) {
        (Kernel::Muller, _) => poly6(h, dimensions) * h.powi(6),
        (Kernel::CubicSpline, 2) => 40.0 / (7.0 * PI * h * h),
        (Kernel::CubicSpline, _) => 8.0 / (PI * h.powi(3)),
        (Kernel::WendlandC2, 2) => 7.0 / (PI * h * h),
        (Kernel::WendlandC2, _) => 21.0 / (2.0 * PI * h.powi(3)),
    }
}

/// W(r) for densities.
#[must_use]
pub fn density(kernel: Kernel, h: f64, dimensions: u32, r: f64) -> f64 {
    let q = (r / h).min(1.0);
    let shape = match kernel {
        Kernel::Muller => (1.0 - q * q).powi(3),
        Kernel::CubicSpline if q <= 0.5 => 6.0 * (q.powi(3) - q * q) + 1.0,
        Kernel::CubicSpline => 2.0 * (1.0 - q).powi(3),
        Kernel::WendlandC2 => (1.0 - q).powi(4) * (1.0 + 4.0 * q),
    };
    constant(kernel, h, dimensions) * shape
}

/// W'(r) for pressure gradients, never positive.
#[must_use]
pub fn pressure_slope(kernel: Kernel, h: f64, dimensions: u32, r: f64) -> f64 {
    let q = (r / h).min(1.0);
    let scale = constant(kernel, h, dimensions) / h;
    match kernel {
        Kernel::Muller => -spiky_gradient(h, dimensions) * (h - r).max(0.0).powi(2),
        Kernel::CubicSpline if q <= 0.5 => scale * (18.0 * q * q - 12.0 * q),
        Kernel::CubicSpline => -6.0 * scale * (1.0 - q).powi(2),
        Kernel::WendlandC2 => -20.0 * scale * q * (1.0 - q).powi(3),
    }
}

/// ∇²W for viscous forces: the viscosity kernel's, or −2 r W'/(r² + 0.01 h²) (Brookshaw 1985,
/// Morris 1997).
#[must_use]
pub fn drag(kernel: Kernel, h: f64, dimensions: u32, r: f64) -> f64 {
    match kernel {
        Kernel::Muller => viscosity_laplacian(h, dimensions) * (h - r).max(0.0),
        _ => -2.0 * r * pressure_slope(kernel, h, dimensions, r) / (r * r + 0.01 * h * h),
    }
}

/// C of the weight of pairwise viscosity, F = C (1 − q)(2 − q) with q = r/h, so that the integral of F r² is 2 d. At two
/// spacings such forces are nearly isotropic on the rest lattice, where those by steeper weights, which hardly reach
/// beyond the nearest particles, give two thirds of the viscosity to a shear along an axis.
#[must_use]
pub fn pairwise(h: f64, dimensions: u32) -> f64 {
    match dimensions {
        2 => 30.0 / (PI * h.powi(4)),
        _ => 35.0 / (PI * h.powi(5)),
    }
}

/// F(r) of pairwise viscosity.
fn pairwise_weight(h: f64, dimensions: u32, r: f64) -> f64 {
    let q = (r / h).min(1.0);
    pairwise(h, dimensions) * (1.0 - q) * (2.0 - q)
}

/// Σ `term`(r) over the points of the rest lattice within h of one of them, itself included.
pub(crate) fn over_lattice(
    h: f64,
    spacing: f64,
    dimensions: u32,
    term: impl Fn(f64) -> f64,
) -> f64 {
    let reach = (h / spacing).ceil() as i64;
    let reach_z = if dimensions == 2 { 0 } else { reach };
    let mut sum = 0.0;
    for z in -reach_z..=reach_z {
        for y in -reach..=reach {
            for x in -reach..=reach {
                let r = ((x * x + y * y + z * z) as f64).sqrt() * spacing;
                if r < h {
                    sum += term(r);
                }
            }
        }
    }
    sum
}

/// Support radius in particle radii of scenes that name none. Narrower than 2.8 spacings, Wendland's kernel has too few
/// neighbours; from there on, particles under pressure shear as a liquid, and their rest lattice does not buckle.
#[must_use]
pub fn usual_support(kernel: Kernel) -> f64 {
    match kernel {
        Kernel::Muller | Kernel::CubicSpline => 4.0,
        Kernel::WendlandC2 => 5.6,
    }
}

/// Σ W · spacing^d over the rest lattice, including the particle itself; ideally 1.
#[must_use]
pub fn lattice_sum(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let sum = over_lattice(h, spacing, dimensions, |r| density(kernel, h, dimensions, r));
    sum * spacing.powi(dimensions as i32)
}

/// Gradient by SPH of a linear field of slope 1 on the rest lattice, ideally 1: −Σ V (r⃗ · ∇W) / d.
#[must_use]
pub fn lattice_gradient(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let slope = |r| -pressure_slope(kernel, h, dimensions, r) * r;
    let sum = over_lattice(h, spacing, dimensions, slope);
    sum * spacing.powi(dimensions as i32) / f64::from(dimensions)
}

/// Laplacian by SPH of a parabola y² on the rest lattice, relative to the exact 2: Σ V y² ∇²W / 2.
#[must_use]
pub fn lattice_laplacian(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let parabola = |r: f64| r * r * drag(kernel, h, dimensions, r);
    let sum = over_lattice(h, spacing, dimensions, parabola);
    sum * spacing.powi(dimensions as i32) / (2.0 * f64::from(dimensions))
}

/// −W'/r for densities.
fn steepness(kernel: Kernel, h: f64, dimensions: u32, r: f64) -> f64 {
    // At r = 0 it is that of a small distance.
    let r = r.max(1e-6 * h);
    -density_slope(kernel, h, dimensions, r) / r
}

/// Isotropic mean of the Laplacian by pair impulses on the rest lattice, relative to the exact one: Σ V (−W' r³)/(r² +
/// 0.01 h²)/d (Weiler et al. 2018).
#[must_use]
pub fn lattice_viscosity(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let term = |r: f64| steepness(kernel, h, dimensions, r) * r.powi(4) / (r * r + 0.01 * h * h);
    over_lattice(h, spacing, dimensions, term) * spacing.powi(dimensions as i32)
        / f64::from(dimensions)
}

/// Isotropic mean of the Laplacian by pairwise viscosity on the rest lattice, relative to the exact one: Σ V F r²/(2 d).
#[must_use]
pub fn lattice_pairwise(h: f64, spacing: f64, dimensions: u32) -> f64 {
    let sum = over_lattice(h, spacing, dimensions, |r| r * r * pairwise_weight(h, dimensions, r));
    sum * spacing.powi(dimensions as i32) / (2.0 * f64::from(dimensions))
}

/// W'(r) for densities, never positive.
pub(crate) fn density_slope(kernel: Kernel, h: f64, dimensions: u32, r: f64) -> f64 {
    match kernel {
        Kernel::Muller => -6.0 * poly6(h, dimensions) * (h * h - r * r).max(0.0).powi(2) * r,
        _ => pressure_slope(kernel, h, dimensions, r),
    }
}

/// PCISPH's 1/(2 Σ |V ∇W|²) over the rest lattice, in m² (Solenthaler, Pajarola 2009, 8: δ is this
/// times ρ0/Δt², and the sum of the gradients is 0). Gradients are those of the density kernel.
#[must_use]
pub fn lattice_factor(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let slope = |r| density_slope(kernel, h, dimensions, r);
    let volume = spacing.powi(dimensions as i32);
    0.5 / over_lattice(h, spacing, dimensions, |r| (volume * slope(r)).powi(2))
}

/// Relaxation factor ω with which Jacobi iterations for pressures converge.
///
/// They converge below 2/λ, where λ is the largest eigenvalue of the matrix relative to its
/// diagonal. For pressures that are a plane wave on the rest lattice it is |Σ sin(k·r) ∇W|²/Σ
/// |∇W|²: 2.2 to 7.5, growing with the number of neighbours. In a lattice stretched twofold by the
/// flow it is a third larger, so ω = 1.5/λ, but at most the usual ½ (Ihmsen et al. 2014, 3.3).
#[must_use]
pub fn jacobi_relaxation(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    /// Number of waves sampled, from wavenumber 0 to the largest on the lattice.
    const WAVES: u32 = 64;
    let slope = |r| density_slope(kernel, h, dimensions, r);
    // Along an axis: a plane's gradients sum to Σ W'/r times its distance.
    let planes = plane_sums(h, spacing, dimensions, |r| if r > 0.0 { slope(r) / r } else { 0.0 });
    let sum = |angle: f64| -> f64 {
        let terms = planes.iter().enumerate().map(|(k, plane)| (k as f64, plane));
        terms.map(|(k, plane)| 2.0 * k * spacing * plane * (k * angle).sin()).sum()
    };
    let largest = (0..=WAVES)
        .map(|wave| sum(PI * f64::from(wave) / f64::from(WAVES)).powi(2))
        .fold(0.0, f64::max);
    let lambda = largest / over_lattice(h, spacing, dimensions, |r| slope(r).powi(2));
    (1.5 / lambda).min(0.5)
}

/// Share of the step at which waves on the rest lattice grow that a step may last: disordered particles are a little stiffer.
const STEADY: f64 = 0.85;

/// λ: neighbours that move against each other by u, in fluid of pressure p, are driven back by λ p/(ρ dx²) u, a dimensionless
/// number that falls from 20 at a support of 1.5 spacings to below 1 at 3.
///
/// Pressures are found for places; forces act along ∇W as it was there. So the force of a constant pressure p,
/// −(2 p/ρ) Σ V ∇W, changes by −(2 p V/ρ) Σ ∇∇W (`u_i` − `u_j`). Of the waves that do not compress the fluid those answer most
/// whose displacements alternate along some of the axes, by 2 V Σ ∂²W/∂x² (1 − cos k·r). Steps of symplectic Euler bear
/// frequencies ω up to 2/Δt.
#[must_use]
pub fn pressure_stiffness(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    /// Half the interval of r/h over which slopes are differentiated.
    const APART: f64 = 1e-4;
    let slope = |r: f64| density_slope(kernel, h, dimensions, r);
    let curve = |r: f64| (slope(r + APART * h) - slope(r - APART * h)) / (2.0 * APART * h);
    let reach = (h / spacing).ceil() as i64;
    let range = |axis| if axis < dimensions { -reach..=reach } else { 0..=0 };
    // Sums of ∂²W/∂x² over the neighbours that move against this one, by the axes along which displacements alternate.
    let mut sums = [0.0; 8];
    for (x, y, z) in
        range(0).flat_map(|x| range(1).flat_map(move |y| range(2).map(move |z| (x, y, z))))
    {
        let at = [x, y, z];
        let squared = (x * x + y * y + z * z) as f64;
        let r = squared.sqrt() * spacing;
        if squared == 0.0 || r >= h {
            continue;
        }
        let along = (x * x) as f64 / squared;
        let second = along * curve(r) + (1.0 - along) * slope(r) / r;
        for (axes, sum) in sums.iter_mut().enumerate() {
            let odd = (0..3).filter(|axis| axes >> axis & 1 == 1 && at[*axis] % 2 != 0);
            *sum += if odd.count() % 2 == 1 { second } else { 0.0 };
        }
    }
    let volume = spacing.powi(dimensions as i32);
    4.0 * volume * spacing * spacing * sums.into_iter().fold(0.0, f64::max)
}

/// Square of the speed, over p/ρ, of a signal whose CFL condition, a `share` of h, keeps steps in fluid of pressure p stable.
#[must_use]
pub fn signal_by_pressure(
    kernel: Kernel,
    h: f64,
    spacing: f64,
    dimensions: u32,
    share: f64,
) -> f64 {
    (share * h / (2.0 * STEADY * spacing)).powi(2)
        * pressure_stiffness(kernel, h, spacing, dimensions)
}

/// γ of the boundary particles' volumes, `V_b` = γ/Σ W: γ = `P_0` `Σ_k` `P_k` / `P_1`, where `P_k`
/// is the rest lattice's sum of V W over the plane (line in 2-D) k spacings away.
#[must_use]
pub fn wall_factor(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let sums = plane_sums(h, spacing, dimensions, |r| density(kernel, h, dimensions, r));
    let beyond: f64 = sums[1..].iter().sum();
    spacing.powi(dimensions as i32) * sums[0] * beyond / sums[1]
}

/// Friction, relative to the fluid's viscosity, with which one layer of boundary particles acts on
/// the fluid like a wall with no slip.
///
/// Such a wall is equivalent to the fluid's mirror image, moving the other way (Morris et al. 1997,
/// 4.3): in a flow v = s y over it, a plane k spacings from a layer has that layer's velocity less
/// k s. With planes' sums `D_k` of V ∇²W, the wall's image drags the fluid, over all of its layers,
/// by s Σ k² `D_k`; boundary particles at rest half a spacing behind the wall drag it by s Σ (k −
/// ½) `D_k`, times their volume and friction. At h of two spacings only `D_1` is not 0, and the
/// factor is 2.
#[must_use]
pub fn no_slip_friction(
    kernel: Kernel,
    h: f64,
    spacing: f64,
    dimensions: u32,
    drags: fn(Kernel, f64, f64, u32) -> Vec<f64>,
) -> f64 {
    let drags = drags(kernel, h, spacing, dimensions);
    let over = |weight: fn(f64) -> f64| {
        let planes = drags.iter().enumerate().skip(1);
        planes.map(|(k, sum)| weight(k as f64) * sum).sum::<f64>()
    };
    // `V_b` of a flat wall, relative to the rest volume.
    let sums = plane_sums(h, spacing, dimensions, |r| density(kernel, h, dimensions, r));
    let volume = sums[1..].iter().sum::<f64>() / sums[1];
    over(|k| k * k) / over(|k| k - 0.5) / volume
}

/// `D_k` of a viscosity by the kernel's Laplacian: planes' sums of ∇²W.
#[must_use]
pub fn laplacian_drag(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> Vec<f64> {
    plane_sums(h, spacing, dimensions, |r| drag(kernel, h, dimensions, r))
}

/// `D_k` of pair impulses along `x_ij` on a flow along the planes: Σ 2(d + 2) x² (−W'/r)/(r² + 0.01 h²), x along the flow.
#[must_use]
pub fn shear_drag(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> Vec<f64> {
    let weight = |r: f64| 2.0 * steepness(kernel, h, dimensions, r) / (r * r + 0.01 * h * h);
    drag_along_lines(h, spacing, dimensions, weight)
}

/// `D_k` of pairwise viscosity on a flow along the planes: Σ (d + 2) x² F/r², x along the flow.
#[must_use]
pub fn pairwise_drag(h: f64, spacing: f64, dimensions: u32) -> Vec<f64> {
    let weight = |r: f64| match r > 0.0 {
        true => pairwise_weight(h, dimensions, r) / (r * r),
        false => 0.0,
    };
    drag_along_lines(h, spacing, dimensions, weight)
}

/// `D_k` of forces (d + 2) `weight`(r) r⃗ (r⃗ · v) on a flow along the planes.
fn drag_along_lines(
    h: f64,
    spacing: f64,
    dimensions: u32,
    weight: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let with_square = plane_sums(h, spacing, dimensions, |r| r * r * weight(r));
    let alone = plane_sums(h, spacing, dimensions, weight);
    let both = with_square.iter().zip(&alone).enumerate();
    // r² less the distance of the planes is shared by the directions along them.
    let along = |(k, (square, alone)): (usize, (&f64, &f64))| {
        let apart = k as f64 * spacing;
        (square - apart * apart * alone) / f64::from(dimensions - 1)
    };
    both.map(|term| (f64::from(dimensions) + 2.0) * along(term)).collect()
}

/// Σ `term`(r) over each plane (line in 2-D) of the rest lattice, k = 0, 1, … spacings away.
pub(crate) fn plane_sums(
    h: f64,
    spacing: f64,
    dimensions: u32,
    term: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let reach = (h / spacing).ceil() as i64;
    let reach_z = if dimensions == 2 { 0 } else { reach };
    let plane = |k: i64| {
        let sites = (-reach_z..=reach_z).flat_map(|z| (-reach..=reach).map(move |x| x * x + z * z));
        let r = |n: i64| ((n + k * k) as f64).sqrt() * spacing;
        sites.map(|n| term(r(n))).sum()
    };
    (0..=reach).map(plane).collect()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn lattice_gradients_are_those_of_validation_3() {
        let cases = [
            (Kernel::Muller, 2.0, 0.95629),
            (Kernel::Muller, 4.0, 0.99722),
            (Kernel::CubicSpline, 2.0, 1.02004),
            (Kernel::CubicSpline, 4.0, 0.99995),
        ];
        for (kernel, h, expected) in cases {
            let gradient = lattice_gradient(kernel, h * 0.05, 0.05, 3);
            assert!((gradient - expected).abs() < 1e-5, "{kernel:?}, h = {h}: {gradient}");
        }
    }

    #[test]
    fn pcisph_s_delta_is_that_of_validation_2_15() {
        // dx = 0.05 m, ρ0 = 1000 kg/m³, Δt = 1 ms.
        for (kernel, expected) in
            [(Kernel::CubicSpline, 2_942.284_47), (Kernel::WendlandC2, 2_627.135_93)]
        {
            let delta = lattice_factor(kernel, 0.1, 0.05, 3) * 1000.0 / 1e-6 / 1000.0;
            assert!((delta / expected - 1.0).abs() < 1e-6, "{kernel:?}: {delta}");
        }
    }

    #[test]
    fn jacobi_converges_for_waves_in_any_direction_and_on_stretched_lattices() {
        let lambda = |kernel, h: f64, dimensions: u32, stretch: f64, wave: DVec3| {
            let reach = (h * stretch).ceil() as i32;
            let range = || -reach..=reach;
            let flat = |z: &i32| dimensions == 3 || *z == 0;
            let sites = range().flat_map(|x| range().map(move |y| (x, y)));
            let sites = sites.flat_map(|(x, y)| {
                range().filter(flat).map(move |z| DVec3::new(x.into(), y.into(), z.into()))
            });
            let (mut sum, mut squares) = (DVec3::ZERO, 0.0);
            for site in sites.filter(|site| *site != DVec3::ZERO) {
                let r = site * DVec3::new(stretch, 1.0 / stretch, 1.0);
                let gradient = r.normalize() * density_slope(kernel, h, dimensions, r.length());
                sum += (wave * PI).dot(site).sin() * gradient;
                squares += gradient.length_squared();
            }
            sum.length_squared() / squares
        };
        for kernel in [Kernel::Muller, Kernel::CubicSpline, Kernel::WendlandC2] {
            for (h, dimensions) in [(2.0, 2), (2.5, 2), (3.0, 2), (2.0, 3), (2.5, 3), (3.0, 3)] {
                let omega = jacobi_relaxation(kernel, h * 0.05, 0.05, dimensions);
                let steps = || (0..=12).map(|k| f64::from(k) / 12.0);
                for (x, y) in steps().flat_map(|x| steps().map(move |y| (x, y))) {
                    for stretch in [1.0, 1.2, 1.4] {
                        let wave = DVec3::new(x, y, if dimensions == 3 { 0.5 * x } else { 0.0 });
                        let lambda = lambda(kernel, h, dimensions, stretch, wave);
                        assert!(
                            omega * lambda < 1.9,
                            "{kernel:?}, {h}, {dimensions}-D, {wave}: {omega} {lambda}"
                        );
                    }
                }
            }
        }
        let usual = jacobi_relaxation(Kernel::CubicSpline, 0.1, 0.05, 3);
        assert!((usual - 0.5).abs() < 1e-9, "{usual}");
        let wide = jacobi_relaxation(Kernel::CubicSpline, 0.15, 0.05, 2);
        assert!((wide - 0.398).abs() < 2e-3, "{wide}");
    }

    #[test]
    fn neighbours_under_pressure_are_driven_back_as_by_the_eigenvalues() {
        // The largest eigenvalues of 2 V Σ ∇∇W (1 − cos k·r) over 13 wave numbers along each axis, on the space that
        // V Σ ∇W sin k·r leaves.
        for (kernel, dimensions, h, expected) in [
            (Kernel::CubicSpline, 2, 2.0, 7.888),
            (Kernel::CubicSpline, 2, 2.5, 2.232),
            (Kernel::WendlandC2, 2, 2.8, 1.923),
            (Kernel::CubicSpline, 3, 2.0, 8.354),
            (Kernel::CubicSpline, 3, 2.5, 2.685),
            (Kernel::WendlandC2, 3, 2.8, 2.058),
        ] {
            let found = pressure_stiffness(kernel, h * 0.05, 0.05, dimensions);
            assert!((found / expected - 1.0).abs() < 0.05, "{kernel:?}, {h}: {found}");
        }
    }

    /// In a shear that preserves the area, a pressure p does the work p δs/s: the lattice's
    /// stiffness is p times the second derivative of its sum. This resistance shortens the periods
    /// of waves.
    #[test]
    fn how_a_lattice_under_pressure_resists_shear() {
        let stiffness = |kernel, h: f64, angle: f64| {
            let sum = |strain: f64| -> f64 {
                let axis = glam::DVec2::from_angle(angle);
                let reach = -4..=4;
                reach
                    .clone()
                    .flat_map(|x| reach.clone().map(move |y| glam::DVec2::new(x.into(), y.into())))
                    .map(|r| {
                        let (along, across) = (axis.dot(r), axis.perp_dot(r));
                        (along * strain.exp()).hypot(across * (-strain).exp())
                    })
                    .map(|r| density(kernel, h, 2, r))
                    .sum()
            };
            let step = 1e-3;
            (sum(step) + sum(-step) - 2.0 * sum(0.0)) / (4.0 * step * step * sum(0.0))
        };
        for (kernel, h, axis, diagonal) in [
            (Kernel::CubicSpline, 2.4, 0.071, 0.036),
            (Kernel::CubicSpline, 3.0, -0.133, 0.016),
            (Kernel::WendlandC2, 3.0, 0.023, -0.011),
        ] {
            for (angle, expected) in [(0.0, axis), (0.25 * PI, diagonal)] {
                let found = stiffness(kernel, h, angle);
                assert!((found - expected).abs() < 1e-3, "{kernel:?}, {h}, {angle}: {found}");
            }
        }
    }

    /// Weiler et al. 2018 on the cubic lattice, shear along an axis: so much of the viscosity acts.
    #[test]
    fn the_shear_viscosity_of_pair_impulses_grows_with_the_number_of_neighbours() {
        for (ratio, expected) in [(2.0, 0.70), (2.5, 0.89), (3.0, 0.96), (4.0, 0.99)] {
            let h = ratio * 0.05;
            let kernel = Kernel::CubicSpline;
            let drags = shear_drag(kernel, h, 0.05, 3);
            // The curvature that a parabola across the planes feels, relative to the exact 2.
            let felt: f64 = (1_i32..).zip(&drags[1..]).map(|(k, d)| f64::from(k * k) * d).sum();
            let volume = 0.05_f64.powi(3);
            let share = felt * 0.05 * 0.05 * volume / lattice_viscosity(kernel, h, 0.05, 3);
            assert!((share - expected).abs() < 0.006, "h = {ratio} spacings: {share}");
        }
    }

    /// Shear along an axis and along a diagonal of the lattice's faces, relative to the exact viscosity. The mean is
    /// calibrated; that both are 1 at two spacings is what the weight is for.
    #[test]
    fn pairwise_viscosity_is_isotropic_on_the_lattice() {
        for (dimensions, ratio, bound) in [
            (2, 2.0, 0.02),
            (3, 2.0, 0.02),
            (2, 2.8, 0.06),
            (3, 2.8, 0.06),
            (2, 3.0, 0.02),
            (3, 3.0, 0.02),
        ] {
            let (spacing, h) = (0.05_f64, ratio * 0.05);
            let volume = spacing.powi(dimensions as i32);
            let calibration = lattice_pairwise(h, spacing, dimensions);
            let drags = pairwise_drag(h, spacing, dimensions);
            let felt: f64 = (1_i32..).zip(&drags[1..]).map(|(k, d)| f64::from(k * k) * d).sum();
            let axis = felt * spacing * spacing * volume / calibration;
            // The mean over all directions is 1.
            let d = f64::from(dimensions);
            let diagonal = 0.5 * (d + 2.0 - d * axis);
            for share in [axis, diagonal] {
                assert!((share - 1.0).abs() < bound, "{dimensions}-D, {ratio}: {share}");
            }
            // ∫ F r² = 2 d, which the lattice approaches.
            let fine = lattice_pairwise(20.0 * spacing, spacing, dimensions);
            assert!((fine - 1.0).abs() < 2e-3, "{dimensions}-D: {fine}");
        }
    }

    #[test]
    fn walls_without_slip_have_the_friction_of_their_mirror_image_for_pair_impulses() {
        let of = |kernel, ratio: f64, dimensions| {
            no_slip_friction(kernel, ratio * 0.05, 0.05, dimensions, shear_drag)
        };
        for (kernel, dimensions, expected) in [
            (Kernel::CubicSpline, 3, [2.000, 1.981, 1.901, 1.713]),
            (Kernel::CubicSpline, 2, [2.0, 1.973, 1.875, 1.676]),
            (Kernel::WendlandC2, 3, [2.0, 1.989, 1.933, 1.751]),
        ] {
            for (ratio, expected) in [2.0, 2.5, 3.0, 4.0].into_iter().zip(expected) {
                let found = of(kernel, ratio, dimensions);
                assert!((found - expected).abs() < 1e-3, "{kernel:?}, {ratio}: {found}");
            }
        }
    }

    #[test]
    fn lattice_sums_are_those_of_validation_2_15() {
        let kernels = [Kernel::CubicSpline, Kernel::WendlandC2, Kernel::Muller];
        let cases = [
            (2.0, 3, [0.999_972_466_1, 1.033_843_008_7, 1.009_775_166_9]),
            (2.4, 3, [1.000_809_548_4, 1.017_456_925_6, 1.000_765_627_1]),
            (3.0, 3, [1.001_794_705_4, 1.003_141_082_8, 1.002_189_016_0]),
            (4.0, 3, [1.000_079_181_8, 1.000_548_616_4, 0.999_997_751_1]),
            (2.0, 2, [1.000_861_832_8, 1.037_601_787_0, 1.014_612_762_2]),
            (2.4, 2, [0.999_757_306_7, 1.017_951_743_3, 0.995_283_677_5]),
            (3.0, 2, [1.003_440_396_5, 1.005_142_340_8, 1.002_329_256_0]),
            (4.0, 2, [0.999_957_612_9, 1.001_205_796_3, 1.000_469_110_0]),
        ];
        for (h, dimensions, expected) in cases {
            for (kernel, expected) in kernels.into_iter().zip(expected) {
                let sum = lattice_sum(kernel, h * 0.05, 0.05, dimensions);
                let error = (sum - expected).abs();
                assert!(error < 1e-9, "{kernel:?}, h = {h}, d = {dimensions}: {sum}");
            }
        }
    }
}
