//! Müller, Charypar, Gross 2003: the materials' viscosity, by the Laplacian of a kernel.

use meniscus_scene::{Fluid, Scene};

use crate::{Axis, Chosen, Coefficient, Limit, Matter, Method, Peer};

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
            tension: None,
            at_walls: None,
        }),
        ..Peer::new(1)
    }),
    warnings: Some(warnings),
    ..Method::new("muller", Axis::Viscosity)
};

/// Forces along differences of velocities are no longer balanced at free surfaces, where they slow rotation; and walls are slippery,
/// where a thick liquid sticks.
fn warnings(scene: &Scene, _: &Chosen) -> Vec<String> {
    let thick = super::thick(scene).map(|number| {
        format!(
            "material[{number}].viscosity: a liquid this thick sticks to walls and is drawn out into threads, which \
             viscosity.model = \"muller\" does not show: take viscosity.model = \"implicit\", support_radius = {}, and \
             response.particles = {{ no_slip = true }} of walls",
            (6e6 * scene.particle_radius).round() / 1e6
        )
    });
    thick.chain(rotations(scene)).collect()
}

fn rotations(scene: &Scene) -> Vec<String> {
    let viscous = |fluid: &Fluid| {
        let index = scene.material_index(fluid.material.as_deref()).unwrap_or(0);
        let viscosity = scene.materials.get(index).and_then(|material| material.viscosity);
        viscosity.is_some_and(|viscosity| viscosity > 0.0)
    };
    let turns = |fluid: &Fluid| fluid.angular_velocity != [0.0; 3] && viscous(fluid);
    let numbers = scene.fluids.iter().enumerate().filter(|(_, fluid)| turns(fluid));
    numbers
        .map(|(number, _)| {
            format!(
                "fluid[{number}].angular_velocity: viscosity.model = \"muller\" slows rotation at free surfaces; \
                 \"pairwise\" keeps it"
            )
        })
        .collect()
}

/// Longest step in s, 0.125 (h/2)²/ν.
pub(super) fn longest_step(h: f64, matter: &[Matter]) -> f64 {
    let kinematic = matter.iter().map(|m| m.viscosity / m.rest_density);
    0.125 * (h / 2.0).powi(2) / kinematic.fold(0.0, f64::max)
}
