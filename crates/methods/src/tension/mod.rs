//! Methods for surface tension: those that a scene names in `tension.model`.

pub mod akinci;
pub mod color_field;
pub mod free_surface;
pub mod near_surface;
pub mod pairwise;

use std::f64::consts::PI;

use meniscus_scene::{Boundary, Kernel, Problem, Response, Scene};

use crate::{Chosen, Context, Limit, Matter, Method, kernel};

/// All, in the order in which forces are summed.
pub(crate) const METHODS: [&Method; 5] = [
    &color_field::METHOD,
    &free_surface::METHOD,
    &near_surface::METHOD,
    &pairwise::METHOD,
    &akinci::METHOD,
];

/// Whether a material has surface tension.
fn acts(scene: &Scene) -> bool {
    scene.materials.iter().any(|material| material.surface_tension > 0.0)
}

/// Limit of the time step by capillary waves.
const CAPILLARY: Limit =
    Limit { name: "tension (0.25 √(ρ(h/2)³/(2πσ)))", step: longest_step };

/// Longest step in s, 0.25 √(ρ(h/2)³/(2πσ)).
fn longest_step(h: f64, matter: &[Matter]) -> f64 {
    let tension = matter.iter().map(|m| m.surface_tension / m.rest_density);
    0.25 * ((h / 2.0).powi(3) / (2.0 * PI * tension.fold(0.0, f64::max))).sqrt()
}

/// 1/(k h²) in m⁻²: S/σ of cohesion that has all of the tension ([`kernel::cohesion`]).
fn per_tension(scene: &Context<'_>) -> f64 {
    let k = kernel::cohesion(scene.kernel(), scene.scene.dimensions);
    1.0 / (k * scene.support_radius().powi(2))
}

/// `a_w`/(2 k h²) in m⁻²: the share of walls in it, for a contact angle of 90° ([`kernel::wall_cohesion`]).
fn wall_per_tension(scene: &Context<'_>) -> f64 {
    let (h, spacing) = (scene.support_radius(), scene.scene.spacing());
    let a_w = kernel::wall_cohesion(scene.kernel(), h, spacing, scene.scene.dimensions);
    0.5 * a_w * per_tension(scene)
}

/// Problems of walls that have a contact angle but no particles.
fn angles_without_particles(scene: &Scene) -> Vec<Problem> {
    let layer =
        |boundary: &Boundary| matches!(boundary.response, None | Some(Response::Particles { .. }));
    let bare = scene.boundaries.iter().enumerate().filter(|(_, boundary)| !layer(boundary));
    let of = |(number, _): (usize, &Boundary)| {
        let message = "needs response.particles: fluid beside other walls has a free surface";
        Problem::new(format!("boundary[{number}].contact_angle"), message)
    };
    bare.filter(|(_, boundary)| boundary.contact_angle.is_some()).map(of).collect()
}

/// A warning of a support radius that leaves a particle too few neighbours for an even tension. Wendland's kernel has enough by
/// itself; the cubic spline with five radii has too, but pairs the particles of thin liquids (12 % of water at rest nearer than
/// 0.65 spacings, 0.1 % by Wendland's).
fn few_neighbours(model: &str, scene: &Scene, chosen: &Chosen) -> Vec<String> {
    let radii = chosen.support_radius(scene) / scene.particle_radius;
    let usual = kernel::usual_support(Kernel::WendlandC2);
    let (least, what) = match chosen.kernel(scene) {
        Kernel::WendlandC2 => (usual, "leave out support_radius"),
        _ => (5.0, "let kernel be \"wendland_c2\", without support_radius"),
    };
    let warning = format!(
        "tension.model = \"{model}\" with a support radius of {radii:.1} particle radii: with so few neighbours the tension \
         is uneven by 30 %; {what}"
    );
    if radii < least - 1e-6 { vec![warning] } else { Vec::new() }
}

/// A warning for each wall that the fluid does not touch, since it has no particles.
fn bare_walls(model: &str, scene: &Scene) -> Vec<String> {
    let bare = |boundary: &Boundary| {
        matches!(boundary.response, Some(Response::Reflect { .. } | Response::Spring { .. }))
    };
    let walls = (0..scene.boundaries.len()).filter(|number| bare(&scene.boundaries[*number]));
    let warning = |number: usize| {
        format!(
            "tension.model = \"{model}\": fluid beside boundary[{number}] has a free surface and does not wet it (a contact \
             angle of 180°); response.particles has one of 90°"
        )
    };
    walls.map(warning).collect()
}
