//! Fields on the cells of a grid.

use std::ops::Range;

use meniscus_model::{CellField, Cells, Params};

use super::Simulation;
use crate::Error;

/// The box of cells without its ring, as the array of all cells numbers them.
struct Grid {
    /// Cells of the array along x, y, z.
    size: [usize; 3],
    /// Cells within the ring along x, y, z.
    inner: [Range<usize>; 3],
    period: [bool; 3],
}

impl Grid {
    fn new(params: &Params) -> Self {
        let size = params.grid.size.to_array().map(|count| count as usize);
        let period = params.grid.period.to_array().map(|length| length > 0.0);
        let flat = params.world.dimensions == 2;
        let inner = std::array::from_fn(|axis| match period[axis] || flat && axis == 2 {
            true => 0..size[axis],
            false => 1..size[axis] - 1,
        });
        Self { size, inner, period }
    }

    /// Number of a cell; beyond the end of a periodic axis that at its beginning.
    fn number(&self, mut cell: [usize; 3]) -> usize {
        for axis in (0..3).filter(|axis| self.period[*axis]) {
            cell[axis] %= self.size[axis];
        }
        cell[0] + self.size[0] * (cell[1] + self.size[1] * cell[2])
    }

    /// Values of the inner cells.
    fn collect<T>(&self, of: impl Fn([usize; 3]) -> T) -> Vec<T> {
        let [x, y, z] = &self.inner;
        let all = z.clone().flat_map(|z| y.clone().map(move |y| (y, z)));
        all.flat_map(|(y, z)| x.clone().map(move |x| [x, y, z])).map(of).collect()
    }
}

impl Simulation {
    /// Fields on the cells of a grid, each at the cells' centres: those of the family, which are 0 in solids, velocity in m/s and
    /// pressure in Pa.
    ///
    /// # Errors
    /// [`Error::Options`] for a solver without such fields, [`Error::Device`].
    pub async fn cells(&self) -> Result<Cells, Error> {
        let setup = &self.setup;
        let (params, dt) = (&setup.params, self.control.dt);
        let family = setup.chosen.family();
        if family.fields.is_empty() {
            let solver = setup.chosen.solver().name;
            return Err(Error::Options(format!(
                "{solver:?} has no fields on cells; smoke and liquids on a grid have"
            )));
        }
        let burns = setup.chosen.burns();
        let own = family.fields.iter().filter(|field| burns || !field.of_fire);
        let mut names = vec!["face", "solution", "solid_share"];
        names.extend(own.clone().map(|field| field.array.0));
        names.dedup();
        let (_, bytes) = self.machine.read(&names).await?;
        let floats = |name: &str| bytemuck::pod_collect_to_vec::<u8, f32>(&bytes[name]);
        let [face, solution, free] = ["face", "solution", "solid_share"].map(floats);
        let grid = Grid::new(params);
        let scalar = |name, of: &dyn Fn(usize) -> f32| CellField {
            name,
            components: 1,
            values: grid.collect(|cell| of(grid.number(cell))),
        };
        let own = own.map(|field| {
            let (array, lanes, lane) = field.array;
            let values = floats(array);
            scalar(field.name, &|c| if free[c] < 0.5 { 0.0 } else { values[lanes * c + lane] })
        });
        let mut fields: Vec<_> = own.collect();
        let velocity = grid.collect(|cell| {
            [0, 1, 2].map(|axis| {
                if axis >= params.world.dimensions as usize {
                    return 0.0;
                }
                let mut above = cell;
                above[axis] += 1;
                let at = |cell| face[4 * grid.number(cell) + axis];
                0.5 * (at(cell) + at(above))
            })
        });
        fields.push(CellField { name: "velocity", components: 3, values: velocity.concat() });
        let density = family.density.map_or(params.materials[0].rest_density, |air| air as f32);
        let pressure = |c: usize| if dt > 0.0 { density * solution[2 * c] / dt } else { 0.0 };
        fields.push(scalar("pressure", &pressure));
        let edge = f64::from(params.grid.cell);
        let low = std::array::from_fn(|axis| {
            let origin = f64::from(params.grid.origin[axis]) + setup.center[axis];
            origin + grid.inner[axis].start as f64 * edge
        });
        let size = std::array::from_fn(|axis| grid.inner[axis].len());
        Ok(Cells { low, edge, size, time: self.time(), fields })
    }
}
