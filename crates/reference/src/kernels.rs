//! Müller's three kernels (M 20–22) in 2-D and 3-D, with constants from h and the dimension.
//!
//! The passes use poly6 with its derivatives, spiky's gradient and the viscosity kernel's
//! Laplacian. The values of the other two kernels are here to test these: their integral must be 1,
//! and the derivatives must match.

use std::f64::consts::PI;

use glam::DVec3;
use meniscus_model::Params;
use meniscus_model::params::{KERNEL_CUBIC_SPLINE, KERNEL_MULLER, KERNEL_WENDLAND_C2};

/// Pairs closer than this fraction of h have no direction: spiky's gradient is 0.
pub const COINCIDENT: f64 = 1e-6;

/// Kernels of one support radius and dimension. All are 0 from r = h on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernels {
    h: f64,
    dimensions: u32,
    kernel: u32,
}

impl Kernels {
    /// Kernels of support radius `h` in m, in 2 or 3 dimensions.
    #[must_use]
    pub fn new(h: f64, dimensions: u32) -> Self {
        Self { h, dimensions, kernel: KERNEL_MULLER }
    }

    /// Kernels of a simulation.
    #[must_use]
    pub fn of(params: &Params) -> Self {
        let h = f64::from(params.kernel.support_radius);
        Self { h, dimensions: params.world.dimensions, kernel: params.kernel.kind }
    }

    /// Kernels of the same support radius by one of the `KERNEL_…` constants.
    #[must_use]
    pub fn with(self, kernel: u32) -> Self {
        Self { kernel, ..self }
    }

    /// W for densities and the colour field, in m⁻ᵈ.
    #[must_use]
    pub fn density(self, r: f64) -> f64 {
        match self.kernel {
            KERNEL_MULLER => self.poly6(r),
            _ => self.sigma() * self.shape(r / self.h)[0],
        }
    }

    /// Gradient of W in m⁻ᵈ⁻¹.
    #[must_use]
    pub fn density_gradient(self, r: DVec3) -> DVec3 {
        match self.kernel {
            KERNEL_MULLER => self.poly6_gradient(r),
            _ => self.slope(r.length()) * r.normalize_or_zero(),
        }
    }

    /// Laplacian of W in m⁻ᵈ⁻²: W'' + (d − 1) W'/r.
    #[must_use]
    pub fn density_laplacian(self, r: f64) -> f64 {
        if self.kernel == KERNEL_MULLER {
            return self.poly6_laplacian(r);
        }
        let [_, slope, curvature] = self.shape(r / self.h);
        // At the centre W'/r is W''.
        let around = if r > 0.0 { slope * self.h / r } else { curvature };
        self.sigma() / (self.h * self.h) * (curvature + f64::from(self.dimensions - 1) * around)
    }

    /// ∇W for pressures in m⁻ᵈ⁻¹; 0 if r⃗ has no direction.
    #[must_use]
    pub fn pressure_gradient(self, r: DVec3) -> DVec3 {
        match self.kernel {
            KERNEL_MULLER => self.spiky_gradient(r),
            _ if r.length() < COINCIDENT * self.h => DVec3::ZERO,
            _ => self.density_gradient(r),
        }
    }

    /// ∇²W for viscous forces, in m⁻ᵈ⁻²: the viscosity kernel's, or −2 r W'/(r² + 0.01 h²)
    /// (Brookshaw 1985, Morris 1997).
    #[must_use]
    pub fn drag(self, r: f64) -> f64 {
        match self.kernel {
            KERNEL_MULLER => self.viscosity_laplacian(r),
            _ => -2.0 * r * self.slope(r) / (r * r + 0.01 * self.h * self.h),
        }
    }

    /// W'(r) of kernels with one shape for all quantities.
    fn slope(self, r: f64) -> f64 {
        self.sigma() / self.h * self.shape(r / self.h)[1]
    }

    /// W, W' and W'' of the cubic spline (Monaghan 1992) and Wendland's C2 kernel (1995) by q = r/h, dimensionless and without
    /// σ.
    fn shape(self, q: f64) -> [f64; 3] {
        let p = 1.0 - q;
        match self.kernel {
            _ if q >= 1.0 => [0.0; 3],
            KERNEL_CUBIC_SPLINE if q <= 0.5 => {
                [6.0 * (q.powi(3) - q.powi(2)) + 1.0, 18.0 * q.powi(2) - 12.0 * q, 36.0 * q - 12.0]
            }
            KERNEL_CUBIC_SPLINE => [2.0 * p.powi(3), -6.0 * p.powi(2), 12.0 * p],
            KERNEL_WENDLAND_C2 => [
                p.powi(4) * (1.0 + 4.0 * q),
                -20.0 * q * p.powi(3),
                -20.0 * p.powi(3) + 60.0 * q * p.powi(2),
            ],
            kernel => panic!("no kernel has the number {kernel}"),
        }
    }

    /// σ = W(0) of these kernels in m⁻ᵈ.
    fn sigma(self) -> f64 {
        let d = self.h.powi(self.dimensions as i32);
        match (self.kernel, self.dimensions) {
            (KERNEL_CUBIC_SPLINE, 2) => 40.0 / (7.0 * PI * d),
            (KERNEL_CUBIC_SPLINE, _) => 8.0 / (PI * d),
            (_, 2) => 7.0 / (PI * d),
            _ => 21.0 / (2.0 * PI * d),
        }
    }

    /// Poly6 in m⁻ᵈ (M 20): C (h² − r²)³.
    #[must_use]
    pub fn poly6(self, r: f64) -> f64 {
        self.poly6_factor() * self.to_support_squared(r).powi(3)
    }

    /// ∇ of poly6 in m⁻ᵈ⁻¹ (M 20): −6 C (h² − r²)² r⃗.
    #[must_use]
    pub fn poly6_gradient(self, r: DVec3) -> DVec3 {
        -6.0 * self.poly6_factor() * self.to_support_squared(r.length()).powi(2) * r
    }

    /// ∇² of poly6 in m⁻ᵈ⁻² (M 20, W'' + (d − 1) W'/r in d dimensions): −6 C (h² − r²)(d h² − (d + 4) r²).
    #[must_use]
    pub fn poly6_laplacian(self, r: f64) -> f64 {
        let d = f64::from(self.dimensions);
        let bracket = d * self.h * self.h - (d + 4.0) * r * r;
        -6.0 * self.poly6_factor() * self.to_support_squared(r) * bracket
    }

    /// Spiky in m⁻ᵈ (M 21): C (h − r)³.
    #[must_use]
    pub fn spiky(self, r: f64) -> f64 {
        self.spiky_factor() * self.to_support(r).powi(3)
    }

    /// ∇ of spiky in m⁻ᵈ⁻¹ (M 21): −3 C (h − r)² r⃗/r, and 0 where r⃗ has no direction.
    #[must_use]
    pub fn spiky_gradient(self, r: DVec3) -> DVec3 {
        let length = r.length();
        if length < COINCIDENT * self.h {
            return DVec3::ZERO;
        }
        -3.0 * self.spiky_factor() * self.to_support(length).powi(2) * r / length
    }

    /// Viscosity kernel in m⁻ᵈ (M 22). In 2-D that one's Laplacian is not linear, so the one with ∇²W = 40/(πh⁵) (h − r) and
    /// W(h) = W'(h) = 0 takes its place, which has a logarithm.
    #[must_use]
    pub fn viscosity(self, r: f64) -> f64 {
        let h = self.h;
        if r >= h {
            return 0.0;
        }
        match self.dimensions {
            2 => {
                let shape = h * r * r / 4.0
                    - r.powi(3) / 9.0
                    - h.powi(3) / 6.0 * (r / h).ln()
                    - 5.0 * h.powi(3) / 36.0;
                40.0 / (PI * h.powi(5)) * shape
            }
            _ => {
                let q = r / h;
                15.0 / (2.0 * PI * h.powi(3)) * (-q.powi(3) / 2.0 + q * q + 0.5 / q - 1.0)
            }
        }
    }

    /// ∇² of the viscosity kernel in m⁻ᵈ⁻² (M 22): C (h − r).
    #[must_use]
    pub fn viscosity_laplacian(self, r: f64) -> f64 {
        let factor = match self.dimensions {
            2 => 40.0 / (PI * self.h.powi(5)),
            _ => 45.0 / (PI * self.h.powi(6)),
        };
        factor * self.to_support(r)
    }

    /// h² − r², 0 beyond the support.
    fn to_support_squared(self, r: f64) -> f64 {
        (self.h * self.h - r * r).max(0.0)
    }

    /// h − r, 0 beyond the support.
    fn to_support(self, r: f64) -> f64 {
        (self.h - r).max(0.0)
    }

    fn poly6_factor(self) -> f64 {
        match self.dimensions {
            2 => 4.0 / (PI * self.h.powi(8)),
            _ => 315.0 / (64.0 * PI * self.h.powi(9)),
        }
    }

    fn spiky_factor(self) -> f64 {
        match self.dimensions {
            2 => 10.0 / (PI * self.h.powi(5)),
            _ => 15.0 / (PI * self.h.powi(6)),
        }
    }
}
