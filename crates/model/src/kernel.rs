//! Normalisation of the smoothing kernels in 2-D and 3-D (FORMULAS, M 20–22 and its 2-D table),
//! and the rest lattice's density sum (VALIDATION 2.15).

use std::f64::consts::PI;

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

/// C of the viscosity kernel's Laplacian, ∇²W = C (h − r); in 2-D of the logarithmic kernel.
#[must_use]
pub fn viscosity_laplacian(h: f64, dimensions: u32) -> f64 {
    match dimensions {
        2 => 40.0 / (PI * h.powi(5)),
        _ => 45.0 / (PI * h.powi(6)),
    }
}

/// Σ `term`(r) over the points of the rest lattice within h of one of them, itself included.
fn over_lattice(h: f64, spacing: f64, dimensions: u32, term: impl Fn(f64) -> f64) -> f64 {
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

/// Σ W · spacing^d over the rest lattice, self included: what summation gives in place of 1.
#[must_use]
pub fn lattice_sum(h: f64, spacing: f64, dimensions: u32) -> f64 {
    let sum = over_lattice(h, spacing, dimensions, |r| (h * h - r * r).powi(3));
    poly6(h, dimensions) * sum * spacing.powi(dimensions as i32)
}

/// The gradient that spiky gives of a linear field of slope 1 on the rest lattice, in place of 1:
/// −Σ V (r⃗ · ∇W) / d.
#[must_use]
pub fn lattice_gradient(h: f64, spacing: f64, dimensions: u32) -> f64 {
    let sum = over_lattice(h, spacing, dimensions, |r| (h - r).powi(2) * r);
    spiky_gradient(h, dimensions) * sum * spacing.powi(dimensions as i32) / f64::from(dimensions)
}

/// γ of the boundary particles' volumes, V_b = γ/Σ W: P_0 Σ_k P_k / P_1, P_k the rest lattice's sum
/// of W over the plane (the line in 2-D) k spacings away.
#[must_use]
pub fn wall_factor(h: f64, spacing: f64, dimensions: u32) -> f64 {
    let plane = |k: i64| {
        let y = k as f64 * spacing;
        if y >= h {
            return 0.0;
        }
        let reach = (h / spacing).ceil() as i64;
        let reach_z = if dimensions == 2 { 0 } else { reach };
        let sites = (-reach_z..=reach_z).flat_map(|z| (-reach..=reach).map(move |x| x * x + z * z));
        sites.map(|n| (h * h - y * y - n as f64 * spacing * spacing).max(0.0).powi(3)).sum::<f64>()
    };
    let beyond: f64 = (1..=(h / spacing).ceil() as i64).map(plane).sum();
    let volume = spacing.powi(dimensions as i32);
    poly6(h, dimensions) * volume * plane(0) * beyond / plane(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lattice_gradients_are_those_of_validation_3() {
        for (h, expected) in [(2.0, 0.95629), (4.0, 0.99722)] {
            let gradient = lattice_gradient(h * 0.05, 0.05, 3);
            assert!((gradient - expected).abs() < 1e-5, "h = {h}: {gradient}");
        }
    }

    #[test]
    fn lattice_sums_are_those_of_validation_2_15() {
        let cases = [
            (2.0, 3, 1.009_775_166_9),
            (2.4, 3, 1.000_765_627_1),
            (3.0, 3, 1.002_189_016_0),
            (4.0, 3, 0.999_997_751_1),
            (2.0, 2, 1.014_612_762_2),
            (2.4, 2, 0.995_283_677_5),
            (3.0, 2, 1.002_329_256_0),
            (4.0, 2, 1.000_469_110_0),
        ];
        for (h, dimensions, expected) in cases {
            let sum = lattice_sum(h * 0.05, 0.05, dimensions);
            assert!((sum - expected).abs() < 1e-9, "h = {h}, d = {dimensions}: {sum}");
        }
    }
}
