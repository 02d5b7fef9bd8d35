//! Number of neighbours per particle, with which the cost of a pair pass scales.

use meniscus::{State, raw::Params};

/// Largest number of particles whose neighbours are counted; of more particles, an even sample is
/// used.
const SAMPLE: usize = 100_000;

/// Mean number of other particles within the support radius.
pub(super) fn mean(state: &State, params: &Params) -> f64 {
    let positions: Vec<[f64; 3]> =
        state.position().iter().map(|p| [p[0], p[1], p[2]].map(f64::from)).collect();
    let grid = Grid::new(&positions, params);
    let stride = positions.len().div_ceil(SAMPLE).max(1);
    let sample = positions.iter().step_by(stride);
    let (count, sum) = sample.fold((0, 0), |(count, sum), p| (count + 1, sum + grid.around(*p)));
    if count == 0 { 0.0 } else { sum as f64 / f64::from(count) }
}

/// Positions by cell of the simulation's toroidal grid; cells that alias are told apart by
/// distance.
struct Grid {
    params: Params,
    /// Cell and position, sorted by cell.
    cells: Vec<(u64, [f64; 3])>,
}

impl Grid {
    fn new(positions: &[[f64; 3]], params: &Params) -> Self {
        let mut grid = Self { params: *params, cells: Vec::new() };
        grid.cells = positions.iter().map(|p| (grid.key(grid.cell(*p)), *p)).collect();
        grid.cells.sort_unstable_by_key(|(key, _)| *key);
        grid
    }

    fn cell(&self, position: [f64; 3]) -> [i64; 3] {
        std::array::from_fn(|k| {
            let from_origin = position[k] - f64::from(self.params.grid.origin[k]);
            (from_origin * f64::from(self.params.grid.inverse_cell[k])).floor() as i64
        })
    }

    fn key(&self, cell: [i64; 3]) -> u64 {
        let size = self.params.grid.size.to_array().map(i64::from);
        let [x, y, z] = std::array::from_fn(|k| cell[k].rem_euclid(size[k].max(1)));
        (x + size[0] * (y + size[1] * z)) as u64
    }

    /// Number of other particles within the support radius of one at `position`.
    fn around(&self, position: [f64; 3]) -> u64 {
        let [x, y, z] = self.cell(position);
        let reach = i64::from(self.params.grid.z_reach);
        let mut count = 0;
        for (dz, dy, dx) in (-reach..=reach)
            .flat_map(|dz| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| (dz, dy, dx))))
        {
            let key = self.key([x + dx, y + dy, z + dz]);
            let first = self.cells.partition_point(|(other, _)| *other < key);
            let inside = self.cells[first..].iter().take_while(|(other, _)| *other == key);
            count += inside.filter(|(_, other)| self.near(position, *other)).count() as u64;
        }
        // Do not count the particle itself.
        count.saturating_sub(1)
    }

    fn near(&self, a: [f64; 3], b: [f64; 3]) -> bool {
        let squared = |k: usize| {
            let (apart, period) = (a[k] - b[k], f64::from(self.params.grid.period[k]));
            let apart =
                if period > 0.0 { apart - period * (apart / period).round() } else { apart };
            apart * apart
        };
        let h = f64::from(self.params.kernel.support_radius);
        squared(0) + squared(1) + squared(2) < h * h
    }
}

#[cfg(test)]
mod tests {
    use meniscus::{
        raw::Setup,
        scene::{Cuboid, Domain, Shape},
    };
    use meniscus_formats::{LoadOptions, load_scene};

    use super::*;

    /// Counts by grid and by brute force.
    fn counts(dimensions: u32, periodic: [bool; 3]) -> (u64, u64) {
        let mut scene = load_scene("zero_g_cube", &LoadOptions::default()).expect("bundled").scene;
        scene.dimensions = dimensions;
        scene.particle_radius = 0.1;
        scene.domain = Some(Domain { min: [-1.0; 3], max: [1.0; 3], periodic });
        scene.fluids.truncate(1);
        scene.fluids[0].shape = Shape::Box(Cuboid { min: [-0.5; 3], max: [0.5; 3] });
        let params = Setup::new(&scene).map(|setup| setup.params);
        let params = params.unwrap_or_else(|problems| panic!("{problems:?}"));
        let mut random = fastrand::Rng::with_seed(1);
        let mut random = || 3.0 * random.f64() - 1.5;
        let z = f64::from(dimensions - 2);
        let positions: Vec<[f64; 3]> =
            (0..300).map(|_| [random(), random(), z * random()]).collect();
        let grid = Grid::new(&positions, &params);
        let by_grid = positions.iter().map(|p| grid.around(*p)).sum();
        let all = positions.iter().flat_map(|a| positions.iter().map(move |b| (a, b)));
        let near = all.filter(|(a, b)| grid.near(**a, **b)).count();
        (by_grid, (near - positions.len()) as u64)
    }

    #[test]
    fn the_grid_misses_no_neighbour_and_counts_none_twice() {
        for (dimensions, periodic) in [(3, [false; 3]), (3, [true; 3]), (2, [true, false, false])] {
            let (by_grid, by_force) = counts(dimensions, periodic);
            assert!(by_force > 500, "{by_force}");
            assert_eq!(by_grid, by_force, "{dimensions} dimensions, periodic {periodic:?}");
        }
    }
}
