//! View settings of a picture.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::{Camera, ColorMap, Fluid};

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
    /// Without [`Fluid::splats`] this draws as [`Mode::Particles`].
    Splats,
    /// The extracted mesh as water. Without [`Fluid::mesh`] this draws as [`Mode::ScreenSpace`].
    Surface,
    /// The smoothed depth of all particles as water (N. Truong, C. Yuksel, “A narrow-range filter
    /// for screen-space fluid rendering”, 2018).
    ScreenSpace,
}

impl Mode {
    /// Modes, in the order of menus.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Name that scenes and command lines use, which [`str::parse`] reads.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Quantity that colours the particles.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum ColorBy {
    /// |v| in m/s.
    #[default]
    Speed,
    /// max(0, ρ/ρ0 − 1) in percent.
    DensityError,
    /// Pressure in Pa.
    Pressure,
    /// Hash of the id, which tells neighbours apart and shows mixing.
    Id,
}

impl ColorBy {
    /// Quantities, in the order of menus.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Name that command lines use, which [`str::parse`] reads.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Title and unit in the legend.
    #[must_use]
    pub fn title(self) -> (&'static str, &'static str) {
        match self {
            Self::Speed => ("speed", "m/s"),
            Self::DensityError => ("density error", "%"),
            Self::Pressure => ("pressure", "Pa"),
            Self::Id => ("particle id", ""),
        }
    }

    /// Colour map of the quantity.
    #[must_use]
    pub fn map(self) -> ColorMap {
        match self {
            Self::Speed | Self::Id => ColorMap::Ocean,
            Self::DensityError => ColorMap::Viridis,
            Self::Pressure => ColorMap::Turbo,
        }
    }

    /// Default range in the quantity's unit: from 0 to a round number that follows from the scene.
    /// By default the speed of sound is 10 times the expected speed, and pressure grows with its
    /// square.
    #[must_use]
    pub fn default_range(self, fluid: &Fluid) -> [f32; 2] {
        let expected = fluid.params.world.expected_speed;
        let top = match self {
            Self::Speed => 0.6 * expected,
            Self::DensityError => 3.0,
            Self::Pressure => 0.5 * fluid.params.materials[0].rest_density * expected * expected,
            Self::Id => 1.0,
        };
        [0.0, round_number(top)]
    }
}

/// The smallest of 1, 2, 5, 10 … · 10ⁿ that is at least x.
pub(crate) fn round_number(x: f32) -> f32 {
    if !(x.is_finite() && x > 1e-30) {
        return 1.0;
    }
    let power = 10f64.powf(f64::from(x).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| (step * power) as f32);
    *steps.iter().find(|step| **step >= x * 0.999).unwrap_or(&steps[3])
}

/// Content and camera of a picture.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct View {
    /// View mode of the fluid.
    pub mode: Mode,
    /// Quantity that colours the particles.
    pub color: ColorBy,
    /// Smallest and largest value of the colour map, in the unit of [`View::color`];
    /// [`ColorBy::default_range`] if absent.
    pub range: Option<[f32; 2]>,
    /// Camera.
    pub camera: Camera,
    /// Whether containers and obstacles are drawn.
    pub boundaries: bool,
    /// Whether the floor is drawn, with the fluid's shadow on it.
    pub ground: bool,
    /// Whether the legend is drawn.
    pub legend: bool,
    /// Brightness factor.
    pub exposure: f32,
    /// Factor on the depth to which light penetrates water; 1 suits a scene of any size.
    pub clarity: f32,
    /// Whether 4 samples per pixel are used rather than 1.
    pub antialias: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            color: ColorBy::default(),
            range: None,
            camera: Camera::default(),
            boundaries: true,
            ground: true,
            legend: true,
            exposure: 1.0,
            clarity: 1.0,
            antialias: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_and_colour_has_a_name_of_its_own() {
        for mode in Mode::ALL {
            assert_eq!(mode.name().parse(), Ok(*mode));
        }
        for color in ColorBy::ALL {
            assert_eq!(color.name().parse(), Ok(*color));
        }
        assert_eq!((Mode::ScreenSpace.name(), ColorBy::Id.name()), ("screen_space", "id"));
    }

    #[test]
    fn round_numbers_are_the_next_of_1_2_5() {
        let cases = [(0.3, 0.5), (1.0, 1.0), (1.2, 2.0), (4.9, 5.0), (5.1, 10.0), (3e4, 5e4)];
        for (x, expected) in cases {
            let got = round_number(x);
            assert!((got / expected - 1.0).abs() < 1e-6, "{x}: {got}, not {expected}");
        }
        for nonsense in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(round_number(nonsense), 1.0);
        }
    }
}
