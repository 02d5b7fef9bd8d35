//! View settings of a picture.

use std::sync::Arc;

use glam::Vec3;
use strum::{EnumString, IntoStaticStr, VariantArray};

use meniscus::{
    Quantity, Scene,
    methods::{Chosen, mpm::materials::Look},
    raw::model::params::MAX_MATERIALS,
    scene::Panorama,
};

use crate::Camera;

/// View mode of the fluid.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum Mode {
    /// Particles as lit spheres, coloured by [`View::color`].
    #[default]
    Particles,
    /// Oriented discs at surface particles, blended into a surface (M §4.1; M. Botsch et al.,
    /// “High-quality surface splatting on today's GPUs”, 2005); isolated particles as droplets.
    /// Without [`splats`](crate::FluidBuffers::splats) this draws as [`Mode::Particles`].
    Splats,
    /// The extracted meshes, as water or, of jelly, snow and sand, as what light does not pass through. Without [`surfaces`](crate::FluidBuffers::surfaces) this draws as [`Mode::ScreenSpace`].
    Surface,
    /// The smoothed depth of all particles as water (N. Truong, C. Yuksel, “A narrow-range filter
    /// for screen-space fluid rendering”, 2018).
    ScreenSpace,
    /// A plane through the cells of a grid, coloured by [`View::color`]; of smoke only, which is drawn so in 2-D.
    Slice,
    /// Smoke in sunlight, by marching along rays; of smoke in 3-D only.
    Smoke,
}

/// A plane across an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Slice {
    /// The axis across it: 0 for x, 1 for y, 2 for z.
    pub axis: u32,
    /// Place of the plane on the axis in m.
    pub at: f64,
}

impl Mode {
    /// Modes, in the order of menus.
    pub const ALL: &[Self] = Self::VARIANTS;
    /// Modes of fluids with particles.
    pub const OF_PARTICLES: &[Self] =
        &[Self::Particles, Self::Splats, Self::Surface, Self::ScreenSpace];
    /// Modes of smoke.
    pub const OF_SMOKE: &[Self] = &[Self::Smoke, Self::Slice];

    /// The mode that shows a scene best: smoke, or in 2-D its plane; surfaces of all but sand, whose grains are
    /// drawn; scenes in 2-D as particles. Several worlds have no surface meshes.
    #[must_use]
    pub fn usual(scene: &Scene, chosen: &Chosen) -> Self {
        let flat = scene.dimensions == 2;
        let models = chosen.models();
        let all_grains = models.iter().all(|model| model.look == Look::Grains);
        match (chosen.family().has_particles, flat) {
            (false, true) => Self::Slice,
            (false, false) => Self::Smoke,
            (true, true) => Self::Particles,
            (true, false) if !models.is_empty() && all_grains => Self::Particles,
            (true, false) if scene.worlds > 1 => Self::ScreenSpace,
            _ => Self::Surface,
        }
    }

    /// Name that scenes and command lines use, which [`str::parse`] reads.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Light of the sun and the sky.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Light {
    /// Direction towards the sun, above the floor; obliquely from above if absent.
    pub sun: Option<Vec3>,
    /// Factor on the light of the sun.
    pub sunlight: f32,
    /// Factor on the light of the sky.
    pub sky: f32,
    /// Colour behind everything in place of the sky, as sRGB, each from 0 to 1; at most 0.985, since highlights are brighter.
    pub background: Option<[f32; 3]>,
    /// Image behind everything in place of sky and colour.
    pub sky_image: Option<Arc<Panorama>>,
    /// Angle in degrees by which the image is turned about the upward direction, counter-clockwise from above; at 0 its middle
    /// is at −z, or at y where z is up.
    pub sky_rotation: f32,
    /// Index of refraction of each material.
    pub refraction: [f32; MAX_MATERIALS],
}

/// Index of refraction of water.
const WATER: f32 = 1.333;

impl Default for Light {
    fn default() -> Self {
        Self {
            sun: None,
            sunlight: 1.0,
            sky: 1.0,
            background: None,
            sky_image: None,
            sky_rotation: 0.0,
            refraction: [WATER; MAX_MATERIALS],
        }
    }
}

impl Light {
    /// The light of a scene.
    #[must_use]
    pub fn of_scene(scene: &Scene) -> Self {
        let own = scene.light.clone().unwrap_or_default();
        Self {
            sun: own.sun.map(|sun| Vec3::from(sun.map(|x| x as f32))),
            sunlight: own.sunlight as f32,
            sky: own.sky as f32,
            background: own.background.map(|color| color.map(|channel| channel as f32)),
            sky_image: own.panorama.get().cloned(),
            sky_rotation: own.sky_rotation as f32,
            refraction: std::array::from_fn(|number| {
                let own = scene.materials.get(number).and_then(|one| one.refractive_index);
                own.map_or(WATER, |index| index as f32)
            }),
        }
    }
}

impl View {
    /// Takes light and floor from a scene.
    #[must_use]
    pub fn with_light_of(self, scene: &Scene) -> Self {
        let ground = self.ground && scene.light.as_ref().is_none_or(|light| light.floor);
        Self { light: Light::of_scene(scene), ground, ..self }
    }
}

/// Content and camera of a picture.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct View {
    /// View mode of the fluid.
    pub mode: Mode,
    /// Quantity that colours the particles.
    pub color: Quantity,
    /// Smallest and largest value of the colour map, in the unit of [`View::color`];
    /// [`default_range`](crate::FluidBuffers::default_range) if absent.
    pub range: Option<[f32; 2]>,
    /// Plane of [`Mode::Slice`]; through the middle of the domain, across z, if absent.
    pub slice: Option<Slice>,
    /// Camera.
    pub camera: Camera,
    /// Whether containers and obstacles are drawn.
    pub boundaries: bool,
    /// Light and background, of scenes in 3-D; whether there is a floor, `ground` says.
    pub light: Light,
    /// Whether the floor is drawn, with the fluid's shadow on it.
    pub ground: bool,
    /// Whether foam, spray and bubbles are drawn, of fluids that have some.
    pub foam: bool,
    /// Time in s in which spray is drawn out along its way; 0 for stills.
    pub blur: f32,
    /// Whether the legend is drawn.
    pub legend: bool,
    /// Brightness factor.
    pub exposure: f32,
    /// Factor on the depth to which light penetrates water; 1 suits a scene of any size.
    pub clarity: f32,
    /// Factor on the light that smoke holds up; 1 suits a scene of any size.
    pub density: f32,
    /// Whether 4 samples per pixel are used rather than 1.
    pub antialias: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            color: Quantity::SPEED,
            range: None,
            slice: None,
            camera: Camera::default(),
            boundaries: true,
            light: Light::default(),
            ground: true,
            foam: true,
            blur: 0.0,
            legend: true,
            exposure: 1.0,
            clarity: 1.0,
            density: 1.0,
            antialias: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_has_a_name_of_its_own() {
        for mode in Mode::ALL {
            assert_eq!(mode.name().parse(), Ok(*mode));
        }
        assert_eq!(Mode::ScreenSpace.name(), "screen_space");
    }
}
