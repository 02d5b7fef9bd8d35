//! Quantities of particles: their values as read back, and the scale of their ranges.

use meniscus_methods::{Quantity, quantity::SceneScale};

use crate::{
    Params,
    params::{KIND_FLUID, MaterialParams},
};

/// Values of a quantity.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measured {
    /// The quantity.
    pub quantity: Quantity,
    /// Value of each particle, in the order of a State's particles, in the quantity's unit. Those of
    /// boundary particles have no meaning.
    pub values: Vec<f32>,
    /// Mean over the fluid particles, 0 without any.
    pub mean: f64,
    /// Sum over the fluid particles.
    pub sum: f64,
    /// Largest value of the fluid particles, 0 without any.
    pub max: f64,
}

impl Measured {
    /// Values from the words of the quantity's array and the identities of the live particles.
    #[must_use]
    pub fn new(
        quantity: &Quantity,
        words: &[u32],
        identity: &[[u32; 2]],
        materials: &[MaterialParams],
    ) -> Self {
        let (mut values, mut sum, mut fluid) = (Vec::new(), 0.0, 0_u32);
        let mut max = f64::NEG_INFINITY;
        for (element, [_, what]) in words.chunks_exact(quantity.stride()).zip(identity) {
            let material = materials.get((what >> 8 & 0xff) as usize);
            let rest_density = material.map_or(1.0, |material| material.rest_density.into());
            let value = quantity.value(element, rest_density);
            values.push(value as f32);
            if what & 0xff == KIND_FLUID {
                sum += value;
                fluid += 1;
                max = if max.is_nan() || value < max { max } else { value };
            }
        }
        let share = |sum: f64| if fluid > 0 { sum / f64::from(fluid) } else { 0.0 };
        Self {
            quantity: *quantity,
            values,
            mean: share(sum),
            sum,
            max: if fluid > 0 { max } else { 0.0 },
        }
    }
}

impl Params {
    /// Scale of the scene, for default ranges of quantities.
    #[must_use]
    pub fn scale(&self) -> SceneScale {
        SceneScale {
            speed: self.world.expected_speed.into(),
            rest_density: self.materials[0].rest_density.into(),
            support_radius: self.kernel.support_radius.into(),
            gravity: self.world.gravity.length().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::KIND_BOUNDARY;

    #[test]
    fn means_and_maxima_are_over_the_fluid_and_by_material() {
        let of = |name: &str| *Quantity::COMMON.iter().find(|q| q.name == name).expect("common");
        let material = |rest_density| MaterialParams { rest_density, ..MaterialParams::default() };
        let materials = [material(1000.0), material(500.0)];
        let identity = [[0, KIND_FLUID], [1, KIND_FLUID | 1 << 8], [2, KIND_BOUNDARY]];
        let densities = [1010.0_f32, 550.0, 9e9];
        // The last slot is not live.
        let words = densities.iter().chain(&[7e9]).flat_map(|density| [0.0, 0.0, 0.0, *density]);
        let words: Vec<_> = words.map(f32::to_bits).collect();
        let measured = Measured::new(&of("density"), &words, &identity, &materials);
        assert_eq!(measured.values, densities);
        assert_eq!([measured.mean, measured.max], [780.0, 1010.0]);
        let measured = Measured::new(&of("density_error"), &words, &identity, &materials);
        assert!((measured.mean - 5.5).abs() < 1e-9 && (measured.max - 10.0).abs() < 1e-9);
        let none = Measured::new(&of("density"), &words, &[], &materials);
        assert_eq!((none.values.len(), none.mean, none.max), (0, 0.0, 0.0));
    }

    #[test]
    fn a_value_that_is_no_number_shows() {
        let words = [f32::NAN.to_bits(), 1.0_f32.to_bits()];
        let row =
            meniscus_methods::arrays::Row::new("a", "f32", meniscus_methods::space::PARTICLES);
        let quantity = Quantity::new("a", row, "x", "");
        let measured = Measured::new(&quantity, &words, &[[0, 0], [1, 0]], &[]);
        assert!(measured.mean.is_nan() && measured.max.is_nan());
    }
}
