//! Müller, Charypar, Gross 2003: the materials' viscosity, by the Laplacian of a kernel.

use crate::{Axis, Coefficient, Limit, Matter, Method, Peer};

/// Dynamic viscosity μ of each material.
pub const METHOD: Method = Method {
    source: "Müller, Charypar, Gross 2003 (14)",
    help: "the materials' viscosity",
    default: |_| true,
    of_materials: true,
    term: Some("viscosity_muller"),
    limit: Some(Limit { name: "viscosity (0.125 (h/2)²/ν)", step: longest_step }),
    // Their operator is 2(d + 2) ν Σ V (v·r)/(r² + 0.01 h²) ∇W, ours M (14): both approximate ν ∇²v,
    // and differ at finite resolution.
    peer: Some(Peer {
        object: "Standard viscosity",
        coefficient: Some(Coefficient {
            key: "viscosity",
            default: 0.01,
            kinematic: true,
            per_spacing: false,
            at_walls: None,
        }),
        ..Peer::new(1)
    }),
    ..Method::new("muller", Axis::Viscosity)
};

/// Longest step in s, 0.125 (h/2)²/ν.
pub(super) fn longest_step(h: f64, matter: &[Matter]) -> f64 {
    let kinematic = matter.iter().map(|m| m.viscosity / m.rest_density);
    0.125 * (h / 2.0).powi(2) / kinematic.fold(0.0, f64::max)
}
