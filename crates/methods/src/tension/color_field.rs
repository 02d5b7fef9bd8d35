//! Müller, Charypar, Gross 2003: surface tension by the colour field's Laplacian.

use crate::{Axis, Key, Method};

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
    ..Method::new("color_field", Axis::Tension)
};
