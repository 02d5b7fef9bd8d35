//! Monaghan 1992; Hu, Adams 2006: the materials' viscosity by forces along the line between two particles, which
//! keep angular momentum.

use meniscus_scene::Kernel;

use super::muller;
use crate::{Axis, Limit, Matter, Method, Number, kernel};

/// Dynamic viscosity μ of each material.
pub const METHOD: Method = Method {
    source: "Monaghan 1992; Hu, Adams 2006",
    help: "the materials' viscosity along the line between two particles: free drops keep their rotation",
    of_materials: true,
    numbers: &[Number::new("factor", "d + 2 times the constant of the weight", |scene| {
        let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
        let dimensions = scene.scene.dimensions;
        let laplacian = match scene.scene.calibrate_density {
            true => kernel::lattice_pairwise(h, spacing, dimensions),
            false => 1.0,
        };
        (f64::from(dimensions) + 2.0) * kernel::pairwise(h, dimensions) / laplacian
    })],
    term: Some("viscosity_pairwise"),
    limit: Some(Limit { name: "viscosity (0.08 (h/2)²/ν)", step: longest_step }),
    no_slip: Some(no_slip),
    ..Method::new("pairwise", Axis::Viscosity)
};

/// Longest step in s, 0.08 (h/2)²/ν: half of what keeps compressions on the rest lattice stable, which such forces damp
/// three times as fast as shear.
fn longest_step(h: f64, matter: &[Matter]) -> f64 {
    0.08 / 0.125 * muller::longest_step(h, matter)
}

/// Friction of a wall's particles with which the fluid at the wall moves with it.
fn no_slip(kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
    let drags = |_, h, spacing, dimensions| kernel::pairwise_drag(h, spacing, dimensions);
    kernel::no_slip_friction(kernel, h, spacing, dimensions, drags)
}
