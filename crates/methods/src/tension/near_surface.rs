//! Surface tension near the surface, as [`free_surface`](super::free_surface) finds it: near it particles cohere (Tartakovsky, Meakin 2005), and the surface resists its area (Akinci, Akinci,
//! Teschner 2013).
//!
//! Both parts are pair forces with volumes at rest, of a known tension: k S h² by Fowler's integral
//! ([`kernel::cohesion`]) and `k_A` Γ h² by that of a flat surface ([`kernel::area`]). With S = β σ/(k h²) and Γ = (1 −
//! β) σ/(`k_A` h²) they add up to σ without a fitted number, whatever the particle radius. Cohesion between all
//! particles would make the fluid stiff.
//!
//! These integrals take particles for spread evenly. In 3-D those that have settled under a surface lie in shells:
//! cohesion has then 1.5 of its share of σ, 1.1 with `density_correction`; the area 1.16 and 1.08; and pressures between
//! particles take 0.12 σ and 0.25 σ back (sums over pairs of a ball of 12 spacings at rest, with a support of 5 radii).
//!
//! Walls of particles count as fluid for the normals, and cohere half as strongly: a contact angle of 90°. For another
//! angle θ below 90° they attract the fluid by a potential of σ cos θ per area, as Young's equation asks for; above it they
//! weigh less in the area's gradient, until they count for nothing, and then cohere less. Weights above 1 in the
//! gradient, whose forces have no potential, would keep a drop turning for ever; a wall that repels would not let it
//! land.

use meniscus_scene::{Problem, Scene};

use crate::{Axis, Chosen, Coefficient, Context, Key, Method, Number, Peer, kernel};

/// Surface tension σ of each material.
pub const METHOD: Method = Method {
    source: "Marrone et al. 2010; Tartakovsky, Meakin 2005; Akinci, Akinci, Teschner 2013",
    help: "the materials' surface tension, by forces between particles near the surface that conserve momentum",
    default: super::acts,
    of_materials: true,
    keys: &[&[
        Key::number(
            "cohesion_share",
            [0.1, 1.0],
            0.35,
            "Share of the tension that the model \"near_surface\" has by cohesion; the rest is by the surface's area.",
        ),
        Key::choice(
            "normals",
            &[
                (
                    "gradient",
                    "h times the gradient of the volumes' sum: it grows towards the surface.",
                ),
                (
                    "unit",
                    "The unit normals of the surface, as in the paper of the method, but into the fluid; they jump where they end.",
                ),
            ],
            "Normals whose differences resist the surface's area, of the model \"near_surface\".",
        ),
        Key::choice(
            "weights",
            &[
                (
                    "smooth",
                    "Cohesion fades from half the support radius below the surface to all of it.",
                ),
                (
                    "hard",
                    "Cohesion is whole up to the support radius, and ends there, as in the paper of the method.",
                ),
            ],
            "Weights of cohesion below the surface, of the model \"near_surface\".",
        ),
    ]],
    numbers: &[
        Number::new("cohesion", "S/σ = β/(k h²) in m⁻²", |scene| {
            share(scene) * super::per_tension(scene)
        }),
        Number::new(
            "difference",
            "1/(2 k h²) in m⁻², by which a difference of tensions weakens cohesion",
            |scene| 0.5 * super::per_tension(scene),
        ),
        Number::new("area", "Γ/σ = (1 − β)/(k_A h²) in m⁻²", |scene| {
            let dimensions = scene.scene.dimensions;
            let k_a = match scene.choice("tension.normals") {
                "unit" => kernel::unit_area(scene.kernel(), dimensions),
                _ => kernel::area(scene.kernel(), dimensions),
            };
            (1.0 - share(scene)) / (k_a * scene.support_radius().powi(2))
        }),
        Number::new("wall", "S_w/σ = a_w β/(2 k h²) in m⁻²", |scene| {
            share(scene) * super::wall_per_tension(scene)
        }),
        Number::new("share", "β", share),
        Number::new("hard", "1 where weights end at once, else 0", |scene| {
            f64::from(u8::from(scene.choice("tension.weights") == "hard"))
        }),
        Number::new("wetting", "κ/(σ cos θ) in m⁻¹", |scene| {
            let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
            kernel::wall_attraction(scene.kernel(), h, spacing, scene.scene.dimensions)
        }),
    ],
    term: Some("tension_near_surface"),
    reacts: true,
    wets: true,
    wall_particles: true,
    limit: Some(super::CAPILLARY),
    // Their force on a particle, coefficient · curvature, has no area: it acts like a tension that grows as particles
    // become smaller.
    peer: Some(Peer {
        object: "Zorilla, Ritter, et al. 2020",
        coefficient: Some(Coefficient {
            key: "surfaceTension",
            default: 0.05,
            kinematic: false,
            tension: Some(|scene, _| scene.scene.spacing().powi(-2)),
            at_walls: None,
        }),
        ..Peer::new(5)
    }),
    problems: Some(problems),
    warnings: Some(warnings),
    ..Method::new("near_surface", Axis::Tension)
};

/// β.
fn share(scene: &Context<'_>) -> f64 {
    scene.number("tension.cohesion_share")
}

fn problems(scene: &Scene, _: &Chosen) -> Vec<Problem> {
    super::angles_without_particles(scene)
}

fn warnings(scene: &Scene, chosen: &Chosen) -> Vec<String> {
    let mut warnings = super::few_neighbours("near_surface", scene, chosen);
    for (number, boundary) in scene.boundaries.iter().enumerate() {
        if boundary.contact_angle.is_some_and(|angle| angle < 10.0) {
            warnings.push(format!(
                "boundary[{number}].contact_angle: angles under about 40° come out too large"
            ));
        }
    }
    warnings.extend(super::bare_walls("near_surface", scene));
    warnings
}
