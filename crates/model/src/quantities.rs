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
    /// boundary particles have no meaning. Of a quantity of cells, the value of each cell without solids.
    pub values: Vec<f32>,
    /// Mean over the fluid particles or cells, 0 without any.
    pub mean: f64,
    /// Sum over the fluid particles or cells.
    pub sum: f64,
    /// Largest value of the fluid particles or cells, 0 without any.
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
        let mut all = Self::empty(quantity);
        let mut fluid = 0_u32;
        for (element, [_, what]) in words.chunks_exact(quantity.stride()).zip(identity) {
            let material = materials.get((what >> 8 & 0xff) as usize);
            let rest_density = material.map_or(1.0, |material| material.rest_density.into());
            all.add(quantity.value(element, rest_density), what & 0xff == KIND_FLUID, &mut fluid);
        }
        all
    }

    /// Values of a quantity of cells, by the words of its array, in the cells that `is_open` says are not solid.
    #[must_use]
    pub fn of_cells(quantity: &Quantity, words: &[u32], is_open: impl Fn(usize) -> bool) -> Self {
        let mut all = Self::empty(quantity);
        let mut count = 0_u32;
        let elements = words.chunks_exact(quantity.stride()).enumerate();
        for (_, element) in elements.filter(|(c, _)| is_open(*c)) {
            all.add(quantity.value(element, 1.0), true, &mut count);
        }
        all
    }

    fn empty(quantity: &Quantity) -> Self {
        Self { quantity: *quantity, values: Vec::new(), mean: 0.0, sum: 0.0, max: 0.0 }
    }

    /// Adds a value, to mean, sum and maximum as well if it `counts`.
    fn add(&mut self, value: f64, counts: bool, count: &mut u32) {
        self.values.push(value as f32);
        if counts {
            let is_larger = *count == 0 || !(self.max.is_nan() || value < self.max);
            self.max = if is_larger { value } else { self.max };
            self.sum += value;
            *count += 1;
            self.mean = self.sum / f64::from(*count);
        }
    }
}

impl Params {
    /// Whether a cell of a grid method is in the domain: not in the ring of cells around it.
    #[must_use]
    pub fn is_inner_cell(&self, cell: usize) -> bool {
        let size = self.grid.size.to_array().map(|count| count as usize);
        let [x, y, z] = [cell % size[0], cell / size[0] % size[1], cell / (size[0] * size[1])];
        let axes = self.world.dimensions as usize;
        [x, y, z]
            .into_iter()
            .zip(size)
            .enumerate()
            .take(axes)
            .all(|(axis, (at, count))| self.grid.period[axis] > 0.0 || (at > 0 && at + 1 < count))
    }

    /// Scale of the scene, for default ranges of quantities.
    #[must_use]
    pub fn scale(&self) -> SceneScale {
        SceneScale {
            speed: self.world.expected_speed.into(),
            rest_density: self.materials[0].rest_density.into(),
            support_radius: self.kernel.support_radius.into(),
            gravity: self.world.gravity.length().into(),
            temperatures: self.world.temperatures.to_array().map(f64::from),
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
    fn quantities_of_cells_leave_out_the_ring_and_solids() {
        let mut params = Params::default();
        params.world.dimensions = 2;
        params.grid.size = glam::UVec3::new(4, 3, 1);
        let inner =
            |params: &Params| (0..12).filter(|c| params.is_inner_cell(*c)).collect::<Vec<_>>();
        assert_eq!(inner(&params), [5, 6]);
        params.grid.period.x = 1.0;
        assert_eq!(inner(&params), [4, 5, 6, 7]);
        let row =
            meniscus_methods::arrays::Row::new("a", "vec4<f32>", meniscus_methods::space::CELLS);
        let quantity = Quantity::new("a", row, "y", "");
        let words: Vec<_> = (0..48).map(|k| (k as f32).to_bits()).collect();
        let measured = Measured::of_cells(&quantity, &words, |c| params.is_inner_cell(c) && c != 7);
        assert_eq!(measured.values, [17.0, 21.0, 25.0]);
        assert_eq!([measured.mean, measured.sum, measured.max], [21.0, 63.0, 25.0]);
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
