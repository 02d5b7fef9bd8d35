//! Walls without particles: the share of a flat wall in the density of fluid, by the distance.
//!
//! At distance d the wall stands for the layers of the fluid's mirror image, which are 2d, 2d + a, 2d + 2a, …
//! away, a the spacing: at d = a/2, where fluid rests, this is the rest lattice. As the image comes closer
//! twice as fast as the wall, the density resists as if the wall's pressure were the particle's own, and the
//! wall needs none: then work and density agree, and fluid at rest stays at rest. For the rows beyond the
//! first (of kernels wider than two spacings), the layers are in their places, d + a/2, d + 3a/2, … away.

use std::f64::consts::PI;

use meniscus_scene::Kernel;

use crate::kernel::{density, density_slope, drag, lattice_sum, plane_sums};

/// Entries of the table.
const ENTRIES: u32 = 128;
/// Largest distance of the neighbour that stands for a wall, as a share of h.
const FARTHEST: f64 = 0.9;
/// Points of a quadrature.
const POINTS: u32 = 256;

/// Shares of walls for a kernel on a rest lattice.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    kernel: Kernel,
    h: f64,
    spacing: f64,
    dimensions: u32,
    /// Share of a wall half a spacing away, where fluid rests, by the rest lattice.
    at_rest: f64,
}

impl Shares {
    /// Shares of walls with support radius `h` and spacing in m.
    #[must_use]
    pub fn new(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> Self {
        let planes = plane_sums(h, spacing, dimensions, |r| density(kernel, h, dimensions, r));
        let beyond: f64 = planes[1..].iter().sum();
        Self { kernel, h, spacing, dimensions, at_rest: beyond / (planes[0] + 2.0 * beyond) }
    }

    /// Share of a wall in the density at distance `d` in m, and how fast it falls with d, in m⁻¹; both stay
    /// beyond the wall what they are at it.
    #[must_use]
    pub fn at(&self, d: f64) -> [f64; 2] {
        let d = d.max(0.0);
        let layers = |first: f64| {
            let depth = move |k: u32| first + f64::from(k) * self.spacing;
            (0..).map(depth).take_while(|z| *z < self.h)
        };
        let sum = |first: f64| layers(first).map(|z| self.plane(z)).sum::<f64>();
        let slope = |first: f64| layers(first).map(|z| self.plane_slope(z)).sum::<f64>();
        // Of the integrals as of the lattice at d = a/2.
        let all = sum(self.spacing) / self.at_rest;
        let image = [sum(2.0 * d), 2.0 * slope(2.0 * d)];
        // From the second row on there are rows between the particle and its image's: all in their places.
        let rows = [sum(d + 0.5 * self.spacing), slope(d + 0.5 * self.spacing)];
        let t = (d / self.spacing - 0.5).clamp(0.0, 1.0);
        let (part, change) = (t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t) / self.spacing);
        let [share, slope] = [0, 1].map(|k| image[k] + part * (rows[k] - image[k]));
        [share / all, -(slope + change * (rows[0] - image[0])) / all]
    }

    /// r/h of a neighbour with −h W'(r)/W(r) = t/(1 − t), at most `FARTHEST`.
    #[must_use]
    pub fn distance(&self, t: f64) -> f64 {
        let too_far = |q: f64| {
            let (w, slope) = (self.kernel_at(q), self.slope_at(q));
            -self.h * slope * (1.0 - t) > t * w
        };
        let (mut low, mut high) = (0.0, FARTHEST);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if too_far(middle) { high = middle } else { low = middle }
        }
        if t > 0.0 { low } else { 0.0 }
    }

    /// The table that `wgsl/solid/volume.wgsl` reads: share and h times its slope by d/h, and
    /// [`Shares::distance`] by t.
    #[must_use]
    pub fn table(&self) -> Vec<[f32; 4]> {
        let entry = |k: u32| {
            let t = f64::from(k) / f64::from(ENTRIES - 1);
            let [share, slope] = self.at(self.h * t);
            [share as f32, (self.h * slope) as f32, self.distance(t) as f32, 0.0]
        };
        (0..ENTRIES).map(entry).collect()
    }

    /// Friction, relative to the fluid's viscosity, with which the neighbour acts on the fluid like a wall
    /// with no slip, as [`crate::kernel::no_slip_friction`] of boundary particles.
    #[must_use]
    pub fn no_slip_friction(&self) -> f64 {
        let term = |r| drag(self.kernel, self.h, self.dimensions, r);
        let drags = plane_sums(self.h, self.spacing, self.dimensions, term);
        let image: f64 = drags.iter().enumerate().map(|(k, sum)| (k * k) as f64 * sum).sum();
        let rows =
            (0..).map(|n| f64::from(n) + 0.5).take_while(|n| (n + 0.5) * self.spacing < self.h);
        let row = |n: f64| {
            let [share, slope] = self.at(n * self.spacing);
            let q = self.distance(self.h * slope / (self.h * slope + share));
            // In rest volumes.
            let lattice = lattice_sum(self.kernel, self.h, self.spacing, self.dimensions);
            let cell = self.spacing.powi(self.dimensions as i32);
            n * share * lattice / (cell * self.kernel_at(q)) * term(q * self.h)
        };
        image / rows.map(row).sum::<f64>()
    }

    fn kernel_at(&self, q: f64) -> f64 {
        density(self.kernel, self.h, self.dimensions, q * self.h)
    }

    fn slope_at(&self, q: f64) -> f64 {
        density_slope(self.kernel, self.h, self.dimensions, q * self.h)
    }

    /// Integral of W over a plane (line in 2-D) z away.
    fn plane(&self, z: f64) -> f64 {
        let w = |r| density(self.kernel, self.h, self.dimensions, r);
        match self.dimensions {
            2 => 2.0 * integral(0.0, self.half_chord(z), |y| w(z.hypot(y))),
            _ => 2.0 * PI * integral(z.min(self.h), self.h, |r| w(r) * r),
        }
    }

    /// Derivative by z of the integral of W over a plane (line in 2-D) z away.
    fn plane_slope(&self, z: f64) -> f64 {
        let along = |r: f64| density_slope(self.kernel, self.h, self.dimensions, r) * z / r;
        match self.dimensions {
            2 => 2.0 * integral(0.0, self.half_chord(z), |y| along(z.hypot(y))),
            _ => -2.0 * PI * z * density(self.kernel, self.h, self.dimensions, z),
        }
    }

    fn half_chord(&self, z: f64) -> f64 {
        (self.h * self.h - z * z).max(0.0).sqrt()
    }
}

/// ∫ f by the midpoint rule, for functions that vanish at one end and are level at the other.
fn integral(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let step = (high - low) / f64::from(POINTS);
    (0..POINTS).map(|k| f(low + (f64::from(k) + 0.5) * step)).sum::<f64>() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACING: f64 = 0.05;
    const KERNELS: [Kernel; 3] = [Kernel::Muller, Kernel::CubicSpline, Kernel::WendlandC2];

    fn all() -> impl Iterator<Item = (Kernel, f64, u32)> {
        let sizes = [(2.0, 3), (3.0, 3), (2.0, 2), (2.4, 2), (4.0, 2)];
        KERNELS
            .into_iter()
            .flat_map(move |kernel| sizes.map(|(ratio, d)| (kernel, ratio * SPACING, d)))
    }

    #[test]
    fn rows_of_fluid_that_rests_on_a_wall_have_the_density_of_the_lattice() {
        for (kernel, h, dimensions) in all() {
            let term = |r| density(kernel, h, dimensions, r);
            let planes = plane_sums(h, SPACING, dimensions, term);
            let lattice = planes[0] + 2.0 * planes[1..].iter().sum::<f64>();
            let shares = Shares::new(kernel, h, SPACING, dimensions);
            for row in 0..4 {
                let beyond: f64 = planes.iter().skip(row + 1).sum();
                let [share, _] = shares.at((row as f64 + 0.5) * SPACING);
                let error = share - beyond / lattice;
                let most = if row == 0 { 1e-9 } else { 1e-3 };
                assert!(error.abs() < most, "{kernel:?}, {dimensions}-D, {h}, row {row}: {error}");
            }
        }
    }

    #[test]
    fn a_share_falls_as_its_slope_says_and_ends_within_the_support() {
        for (kernel, h, dimensions) in all() {
            let shares = Shares::new(kernel, h, SPACING, dimensions);
            for k in 1..80 {
                let (d, step) = (h * f64::from(k) / 80.0, 1e-4 * h);
                let fall = (shares.at(d - step)[0] - shares.at(d + step)[0]) / (2.0 * step);
                let slope = shares.at(d)[1];
                let error = h * (fall - slope);
                assert!(error.abs() < 5e-3, "{kernel:?}, {dimensions}-D, {d}: {fall}, {slope}");
                assert!(slope >= -1e-9, "{kernel:?}, {dimensions}-D, {d}: {slope}");
            }
            assert_eq!(shares.at(h), [0.0; 2]);
            assert_eq!(shares.at(-0.1 * h), shares.at(0.0));
        }
    }

    #[test]
    fn the_neighbour_has_the_share_s_slope() {
        for (kernel, h, dimensions) in all() {
            let shares = Shares::new(kernel, h, SPACING, dimensions);
            for k in 0..30 {
                let [share, slope] = shares.at(0.4 * h * f64::from(k) / 30.0);
                let q = shares.distance(h * slope / (h * slope + share));
                let found = -shares.slope_at(q) / shares.kernel_at(q) * share;
                assert!(
                    q >= 0.899 || (found / slope - 1.0).abs() < 1e-6,
                    "{kernel:?}, {q}: {found}, {slope}"
                );
            }
        }
    }
}
