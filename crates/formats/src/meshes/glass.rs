//! How light passes through a liquid, as glTF and programs that render want it.

use glam::DVec3;
use meniscus_model::Scene;
use meniscus_model::scene::{Material, to_linear};

/// Optical numbers of a liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glass {
    /// Share of light that passes through the surface and is not scattered below it, from 0 to 1.
    pub(crate) transmission: f32,
    /// Index of refraction.
    pub(crate) ior: f32,
    /// Roughness of the surface, from 0 to 1.
    pub(crate) roughness: f32,
    /// Share of light of each linear channel that is left after a distance in m.
    pub(crate) attenuation: ([f32; 3], f32),
}

impl Glass {
    /// Opacity up to which a liquid is clear, and from which on it is opaque: those of pictures.
    const CLEAR: f64 = 2.0;
    const OPAQUE: f64 = 10.0;

    /// The numbers of a material, from what pictures of this program show of it: colours of liquids belong to a way as long as the
    /// scene, since a glass of real water would be clear.
    pub(crate) fn of(scene: &Scene, material: &Material) -> Self {
        let opacity = material.opacity.unwrap_or(1.0);
        let share = (opacity / Self::CLEAR).ln() / (Self::OPAQUE / Self::CLEAR).ln();
        // Absorption of water over the size of the scene, where red goes first.
        let (absorption, factor) = match material.color {
            None => ([2.6, 0.72, 0.20], 1.0),
            Some(color) => {
                let linear = color.map(|channel| to_linear(channel).max(0.01));
                (linear.map(|channel| -channel.ln()), 2.5 * opacity)
            }
        };
        let left = absorption.map(|a: f64| (-a).exp() as f32);
        Self {
            transmission: (1.0 - share).clamp(0.0, 1.0) as f32,
            ior: material.refractive_index.unwrap_or(1.333) as f32,
            roughness: if share > 0.0 { 0.2 } else { 0.0 },
            attenuation: (left, (size_of(scene) / factor) as f32),
        }
    }

    /// How much a program without refraction shows of what is behind, as 1 − opacity.
    pub(crate) fn plain_opacity(self) -> f32 {
        1.0 - 0.8 * self.transmission
    }
}

/// Characteristic length of a scene in m: of its fluids and containers.
fn size_of(scene: &Scene) -> f64 {
    let fluids = scene.fluids.iter().map(|fluid| &fluid.shape);
    let walls = scene.boundaries.iter().map(|boundary| &boundary.shape);
    let shapes = fluids.chain(walls.filter(|shape| !shape.is_endless()));
    let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    let [low, high] = shapes.fold(none, |[low, high], shape| {
        let (center, half) = shape.bounds();
        [low.min(center - half), high.max(center + half)]
    });
    let size = (high - low).max(DVec3::splat(scene.spacing())).element_product().cbrt();
    if size.is_finite() { size } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn water_is_clear_and_chocolate_is_not() {
        let text = "[[material]]\nname = \"water\"\n[[material]]\nname = \"tea\"\ncolor = [0.8, 0.4, 0.1]\n\
                    [[material]]\nname = \"chocolate\"\ncolor = [0.2, 0.1, 0.05]\nopacity = 30.0\n\
                    [[boundary]]\nshape.box = { min = [0, 0, 0], max = [2, 2, 2] }\n";
        let scene = crate::scene_from_toml("a.toml", text).expect("sound");
        let [water, tea, chocolate] = [0, 1, 2].map(|k| Glass::of(&scene, &scene.materials[k]));
        assert_eq!([water.transmission, tea.transmission, chocolate.transmission], [1.0, 1.0, 0.0]);
        assert!((water.plain_opacity() - 0.2).abs() < 1e-6);
        assert_eq!(chocolate.plain_opacity(), 1.0);
        assert!((water.attenuation.1 - 2.0).abs() < 1e-6, "{water:?}");
        let (left, distance) = tea.attenuation;
        assert!(left[0] > left[1] && left[1] > left[2] && (distance - 0.8).abs() < 1e-6, "{tea:?}");
    }
}
