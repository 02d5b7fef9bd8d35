//! Methods for surface tension: those that a scene names in `tension.model`.

pub mod color_field;
pub mod near_surface;

use std::f64::consts::PI;

use meniscus_scene::Scene;

use crate::{Limit, Matter};

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
