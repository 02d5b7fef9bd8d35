//! Tartakovsky, Meakin 2005: cohesion between all particles.
//!
//! Pair forces with volumes at rest whose tension is known, k S h² by Fowler's integral
//! ([`kernel::cohesion`](crate::kernel::cohesion)). They act inside as well, where they put the fluid under a
//! pressure of 3 to 6 σ over the spacing: particles under it hold their places like those of a solid, and small drops
//! do not oscillate. `near_surface`, which has them near the surface only, does without. A longer reach of the forces is
//! a larger support radius.
//!
//! Walls of particles cohere by (1 + cos θ)/2 of this, the work of adhesion at a contact angle θ (Young, Dupré).

use meniscus_scene::{Problem, Scene};

use crate::{Axis, Chosen, Method, Number};

/// Surface tension σ of each material.
pub const METHOD: Method = Method {
    source: "Tartakovsky, Meakin 2005",
    help: "the materials' surface tension, by cohesion between all particles; the fluid becomes stiff",
    of_materials: true,
    numbers: &[
        Number::new("cohesion", "S/σ = 1/(k h²) in m⁻²", super::per_tension),
        Number::new("wall", "S_w/σ = a_w/(2 k h²) in m⁻²", super::wall_per_tension),
    ],
    term: Some("tension_pairwise"),
    reacts: true,
    wets: true,
    wall_particles: true,
    limit: Some(super::CAPILLARY),
    problems: Some(problems),
    warnings: Some(warnings),
    ..Method::new("pairwise", Axis::Tension)
};

fn problems(scene: &Scene, _: &Chosen) -> Vec<Problem> {
    super::angles_without_particles(scene)
}

fn warnings(scene: &Scene, chosen: &Chosen) -> Vec<String> {
    let mut warnings = super::few_neighbours("pairwise", scene, chosen);
    warnings.extend(super::bare_walls("pairwise", scene));
    warnings
}
