//! Müller, Charypar, Gross 2003: surface tension by the colour field's Laplacian.

use crate::{Axis, Coefficient, Key, Method, Peer};

/// Surface tension σ of each material, where the colour field is steep.
pub const METHOD: Method = Method {
    source: "Müller, Charypar, Gross 2003 (15–19)",
    help: "the materials' surface tension, where the colour field is steep",
    default: true,
    of_materials: true,
    keys: &[Key::derived(
        "surface_threshold",
        "1/m",
        |scene| 0.5 / scene.support_radius(),
        "0.5 / h",
        "Surface tension acts where the colour field's gradient exceeds this.",
    )
    .or_zero()],
    term: Some("tension_color_field"),
    limit: Some(super::CAPILLARY),
    // Their only model with a coefficient in N/m.
    peer: Some(Peer {
        object: "Zorilla, Ritter, et al. 2020",
        coefficient: Some(Coefficient {
            key: "surfaceTension",
            default: 0.05,
            kinematic: false,
            at_walls: None,
        }),
        ..Peer::new(5)
    }),
    ..Method::new("color_field", Axis::Tension)
};
