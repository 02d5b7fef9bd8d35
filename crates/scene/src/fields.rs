//! Fields of air at the start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Content, Vec3};

/// Smoke, heat and velocities of air at the start, from a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Initial {
    /// VTK image (`.vti`) as `--grid vti` writes it, with data of cells named `density`, `temperature`, `fuel` and `velocity`; what
    /// it does not have is 0, as is everything beyond it.
    pub file: String,
    /// Its fields, once it was read.
    #[serde(skip)]
    pub fields: Content<Fields>,
}

impl Initial {
    /// The fields of a file that is still to be read.
    #[must_use]
    pub fn of(file: impl Into<String>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }
}

/// Fields on a box of cells.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its readers")]
pub struct Fields {
    /// Lowest corner in m.
    pub low: Vec3,
    /// Edges of a cell in m.
    pub edges: Vec3,
    /// Numbers of cells along x, y, z, none of them 0.
    pub size: [usize; 3],
    /// Density of smoke, temperature above that of the surroundings in K, and fuel, cell by cell, x fastest.
    pub smoke: Vec<[f32; 3]>,
    /// Velocity in m/s at the cells' centres.
    pub velocity: Vec<[f32; 3]>,
}

impl Fields {
    /// Density, temperature and fuel, and velocity at a place in m: linear between the centres of cells, constant in the outer
    /// halves of the last ones, and 0 beyond them; along an axis of one cell constant everywhere.
    #[must_use]
    pub fn at(&self, x: Vec3) -> [[f64; 3]; 2] {
        let mut first = [0; 3];
        let mut part = [0.0; 3];
        for axis in 0..3 {
            let (s, count) = ((x[axis] - self.low[axis]) / self.edges[axis], self.size[axis]);
            if count > 1 {
                if !(0.0..=count as f64).contains(&s) {
                    return [[0.0; 3]; 2];
                }
                let place = (s - 0.5).clamp(0.0, (count - 1) as f64);
                first[axis] = (place as usize).min(count - 2);
                part[axis] = place - first[axis] as f64;
            }
        }
        let mut sums = [[0.0; 3]; 2];
        for corner in 0..8_usize {
            let upper = [corner & 1, (corner >> 1) & 1, corner >> 2];
            let share = |axis: usize| [1.0 - part[axis], part[axis]][upper[axis]];
            let weight: f64 = (0..3).map(share).product();
            if weight == 0.0 {
                continue;
            }
            let [i, j, k]: [usize; 3] = std::array::from_fn(|axis| first[axis] + upper[axis]);
            let c = i + self.size[0] * (j + self.size[1] * k);
            for (sum, values) in sums.iter_mut().zip([&self.smoke, &self.velocity]) {
                for (sum, value) in sum.iter_mut().zip(values[c]) {
                    *sum += weight * f64::from(value);
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_linear_between_centres_and_0_beyond() {
        let fields = Fields {
            low: [1.0, 0.0, 0.0],
            edges: [0.5; 3],
            size: [2, 1, 1],
            smoke: vec![[1.0, 10.0, 0.0], [3.0, 30.0, 0.5]],
            velocity: vec![[0.0, 1.0, 0.0], [0.0, 2.0, 0.0]],
        };
        assert_eq!(fields.at([1.5, 7.0, 0.0]), [[2.0, 20.0, 0.25], [0.0, 1.5, 0.0]]);
        assert_eq!(fields.at([1.1, 0.0, 0.0])[0], [1.0, 10.0, 0.0]);
        assert_eq!(fields.at([2.0, 0.0, 0.0])[0], [3.0, 30.0, 0.5]);
        assert_eq!(fields.at([0.9, 0.0, 0.0]), [[0.0; 3]; 2]);
    }
}
