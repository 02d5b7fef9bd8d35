//! Akinci, Akinci, Teschner 2013: cohesion, forces that resist the surface's area, and adhesion.
//!
//! ```text
//! F_ij = −K_ij γ (m_i m_j C(r) r_ij/r + m (n_i − n_j))        n_i = h Σ m_j/ρ_j ∇W_ij
//! F_ib = −β m_i ρ0 V_b A(r) r_ib/r                            K_ij = 2 ρ0/(ρ_i + ρ_j)
//! ```
//!
//! Their γ has the unit m⁴/(kg s²) in one part and m/s² in the other, so that the tension changes with the particle
//! radius. Here it follows from the materials' σ: of fluid spread evenly, both parts have together the tension
//! γ ρ0 (`k_C` ρ0 h² + `k_a` h⁵/V0), or in 2-D with a power of h less ([`kernel::akinci_cohesion`],
//! [`kernel::akinci_area`]). With the means of both materials' γ and masses, pairs of different materials cancel as well.
//!
//! β follows from the contact angle by the work of adhesion σ (1 + cos θ) (Young, Dupré), for one layer of particles
//! ([`kernel::akinci_adhesion`]). The angle is only qualitative, since the area's part takes a wall for a free surface.

use std::f64::consts::PI;

use meniscus_scene::{Material, Problem, Scene};

use crate::{
    Axis, Chosen, Coefficient, Context, Key, Method, Number, Peer, Place, Scope,
    arrays::{Lane, Row},
    kernel, passes,
    space::{MEMBERS, PARTICLES, TENSION},
    stage::{Entry, stage},
};

/// n into the fluid, and the density; in cell order.
const NORMAL: Row = Row::new("akinci_normal", "vec4<f32>", PARTICLES).lanes(&[
    Lane { lanes: "xyz", quantity: "gradient", unit: "" },
    Lane { lanes: "w", quantity: "density", unit: "kg/m³" },
]);

/// Key of β.
const ADHESION: &str = "tension.akinci_adhesion";

/// Surface tension σ of each material.
pub const METHOD: Method = Method {
    source: "Akinci, Akinci, Teschner 2013",
    help: "the materials' surface tension, by cohesion between all particles and by the surface's area",
    of_materials: true,
    keys: &[&[Key::derived(
        "akinci_adhesion",
        "m⁴/(kg s²)",
        |scene| {
            let strength = adhesion(scene) / shape(scene);
            let of = |m: &Material| m.surface_tension * strength / m.rest_density.powi(2);
            scene.scene.materials.first().map_or(0.0, of)
        },
        "by the walls' contact angles",
        "β of the adhesion to walls with a contact angle of 90°, of the model \"akinci\".",
    )
    .or_zero()]],
    numbers: &[
        Number::new("cohesion", "k_C h² in m²; of γ = σ/(ρ0 (k_C h² ρ0 + k_a h⁵/V0))", cohesion),
        Number::new("area", "k_a h⁵/V0 in m²", area),
        Number::new("shape", "32/(π h³) of C in m⁻³", |scene| {
            32.0 / (PI * scene.support_radius().powi(3))
        }),
        Number::new(
            "adhesion",
            "β ρ0²/σ by the contact angle times 0.007/h³; 0 if β is named",
            |scene| {
                if scene.names(ADHESION) { 0.0 } else { adhesion(scene) }
            },
        ),
        Number::new("named", "β times 0.007/h³ if β is named, else 0", |scene| {
            if scene.names(ADHESION) { scene.number(ADHESION) * shape(scene) } else { 0.0 }
        }),
    ],
    term: Some("tension_akinci"),
    reacts: true,
    wets: true,
    wall_particles: true,
    stages: &[(Place::Density, stages)],
    limit: Some(super::CAPILLARY),
    arrays: &[&[NORMAL]],
    passes: &[&[passes::each("tension/akinci_normals", MEMBERS)]],
    peer: Some(Peer {
        object: "Akinci et al. 2013",
        keys: &[("surfaceTensionBoundary", "akinci_adhesion")],
        usual: &[("akinci_adhesion", 0.01)],
        coefficient: Some(Coefficient {
            key: "surfaceTension",
            default: 0.05,
            kinematic: false,
            tension: Some(tension),
            at_walls: None,
        }),
        ..Peer::new(2)
    }),
    problems: Some(problems),
    warnings: Some(warnings),
    ..Method::new("akinci", Axis::Tension)
};

/// `k_C` h², with a power of h less in 2-D.
fn cohesion(scene: &Context<'_>) -> f64 {
    let dimensions = scene.scene.dimensions;
    kernel::akinci_cohesion(dimensions) * scene.support_radius().powi(dimensions as i32 - 1)
}

/// `k_a` h⁵/V0, with a power of h less in 2-D.
fn area(scene: &Context<'_>) -> f64 {
    let (h, dimensions) = (scene.support_radius(), scene.scene.dimensions as i32);
    let volume = scene.scene.spacing().powi(dimensions);
    let k_a = kernel::akinci_area(scene.kernel(), scene.scene.dimensions);
    k_a * h.powi(dimensions + 2) / volume
}

/// 0.007/h³ of A.
fn shape(scene: &Context<'_>) -> f64 {
    0.007 / scene.support_radius().powi(3)
}

/// β ρ0²/σ at a contact angle of 90°, times 0.007/h³.
fn adhesion(scene: &Context<'_>) -> f64 {
    let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
    shape(scene) * kernel::akinci_adhesion(scene.kernel(), h, spacing, scene.scene.dimensions)
}

/// σ in N/m of a γ in a scene, for a material with this rest density.
fn tension(scene: &Context<'_>, rest_density: f64) -> f64 {
    rest_density * (rest_density * cohesion(scene) + area(scene))
}

fn stages(_: &Scope) -> Vec<Entry> {
    vec![stage("tension/akinci_normals").when(TENSION).into()]
}

fn problems(scene: &Scene, _: &Chosen) -> Vec<Problem> {
    super::angles_without_particles(scene)
}

fn warnings(scene: &Scene, _: &Chosen) -> Vec<String> {
    super::bare_walls("akinci", scene)
}
