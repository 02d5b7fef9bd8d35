//! Morris, Fox, Zhu 1997: the materials' viscosity by the gradient of the kernel, as “laminar” in engineers' codes.

use meniscus_scene::Kernel;

use super::muller;
use crate::{Axis, Limit, Method, Number, kernel};

/// Dynamic viscosity μ of each material.
pub const METHOD: Method = Method {
    source: "Morris, Fox, Zhu 1997 (21)",
    help: "the materials' viscosity by the kernel's gradient: laminar flows with any kernel",
    of_materials: true,
    numbers: &[Number::new("factor", "1 over the Laplacian on the rest lattice", |scene| {
        let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
        let dimensions = scene.scene.dimensions;
        match scene.scene.calibrate_density {
            true => {
                let weight = |r| r * r * weight(scene.kernel(), h, dimensions, r);
                let sum = kernel::over_lattice(h, spacing, dimensions, weight);
                f64::from(dimensions) / (sum * spacing.powi(dimensions as i32))
            }
            false => 1.0,
        }
    })],
    term: Some("viscosity_morris"),
    limit: Some(Limit { name: "viscosity (0.125 (h/2)²/ν)", step: muller::longest_step }),
    no_slip: Some(no_slip),
    ..Method::new("morris", Axis::Viscosity)
};

/// −W' r/(r² + 0.01 h²).
fn weight(kernel: Kernel, h: f64, dimensions: u32, r: f64) -> f64 {
    -kernel::pressure_slope(kernel, h, dimensions, r) * r / (r * r + 0.01 * h * h)
}

/// Friction of a wall's particles with which the fluid at the wall moves with it.
fn no_slip(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let drags = |kernel, h, spacing, dimensions| {
        kernel::plane_sums(h, spacing, dimensions, |r| weight(kernel, h, dimensions, r))
    };
    kernel::no_slip_friction(kernel, h, spacing, dimensions, drags)
}
