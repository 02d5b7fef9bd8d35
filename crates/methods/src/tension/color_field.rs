//! Müller, Charypar, Gross 2003: surface tension by the colour field's Laplacian.

use meniscus_scene::Scene;

use crate::{Axis, Chosen, Key, Method};

/// Surface tension σ of each material, where the colour field is steep.
pub const METHOD: Method = Method {
    source: "Müller, Charypar, Gross 2003 (15–19)",
    help: "the materials' surface tension, where the colour field is steep",
    // Where no material has a tension, it costs nothing.
    default: |scene| !super::acts(scene),
    of_materials: true,
    keys: &[&[Key::derived(
        "surface_threshold",
        "1/m",
        |scene| 0.5 / scene.support_radius(),
        "0.5 / h",
        "Surface tension acts where the colour field's gradient exceeds this.",
    )
    .or_zero()]],
    term: Some("tension_color_field"),
    limit: Some(super::CAPILLARY),
    warnings: Some(warnings),
    ..Method::new("color_field", Axis::Tension)
};

/// Of liquids so thin that the tension, which conserves no momentum, stirs them: where ρ σ dx/μ² is above 1 (a disc of 16
/// spacings in radius drifted and shed particles at 0.6 and burst at 6).
fn warnings(scene: &Scene, _: &Chosen) -> Vec<String> {
    let spacing = scene.spacing();
    let mut warnings = Vec::new();
    for (number, material) in scene.materials.iter().enumerate() {
        let Some(viscosity) = material.viscosity else { continue };
        let least = (material.rest_density * material.surface_tension * spacing).sqrt();
        if least > viscosity {
            warnings.push(format!(
                "material[{number}]: below a viscosity of {least:.2} Pa·s drops under tension.model = \"color_field\" drift and shed \
                 particles at this particle radius; \"near_surface\" keeps momentum"
            ));
        }
    }
    warnings
}
