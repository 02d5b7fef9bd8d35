//! The levels of the pressure's preconditioner (`wgsl/multigrid/`), by sums over all cells of a level.

use glam::I64Vec3;
use meniscus_model::Params;

use crate::World;
use crate::faces::{axes, element, set};

/// ω of a sweep.
const RELAX: f64 = 0.8;
/// σ, by which coarse coefficients are divided.
const STIFFNESS: f64 = 1.8;

/// A level, by its number of cells along each axis.
struct Level {
    ring: I64Vec3,
    size: I64Vec3,
    /// Element of its first cell in its arrays, which it shares with levels of the same parity.
    first: usize,
}

impl Level {
    fn of(params: &Params, number: u32) -> Self {
        let grid = &params.grid;
        let is_box = grid.cell > 0.0;
        let is_open = |axis: usize| is_box && grid.period[axis] == 0.0 && axis < axes(params);
        let ring = I64Vec3::from([0, 1, 2].map(|axis| i64::from(is_open(axis))));
        let inner = grid.size.as_i64vec3() - 2 * ring;
        let size_of = |number: u32| {
            let share = 1_i64 << number;
            let cells = |cells: i64| (cells + share - 1) / share;
            I64Vec3::new(cells(inner.x), cells(inner.y), cells(inner.z)) + 2 * ring
        };
        let before = (1..number).filter(|other| other % 2 == number % 2);
        let first = before.map(|other| size_of(other).element_product() as usize).sum();
        Self { ring, size: size_of(number), first }
    }

    fn cells(&self) -> impl Iterator<Item = I64Vec3> {
        let size = self.size;
        let row = move |y, z| (0..size.x).map(move |x| I64Vec3::new(x, y, z));
        (0..size.z).flat_map(move |z| (0..size.y).flat_map(move |y| row(y, z)))
    }

    fn index(&self, cell: I64Vec3) -> usize {
        let cell = cell.rem_euclid(self.size);
        self.first + (cell.x + self.size.x * (cell.y + self.size.y * cell.z)) as usize
    }

    fn has_inside(&self, cell: I64Vec3) -> bool {
        cell.cmpge(self.ring).all() && cell.cmplt(self.size - self.ring).all()
    }

    /// The cell of the next level that a cell belongs to.
    fn parent(&self, cell: I64Vec3) -> I64Vec3 {
        (cell - self.ring).div_euclid(I64Vec3::splat(2)) + self.ring
    }

    /// Faces of a cell: axis, the cell that has the face as its lower one, and the cell beyond.
    fn faces(&self, cell: I64Vec3, axes: usize) -> Vec<(usize, usize, I64Vec3)> {
        let of = |axis: usize| {
            let step = I64Vec3::AXES[axis];
            [(axis, self.index(cell), cell - step), (axis, self.index(cell + step), cell + step)]
        };
        (0..axes).flat_map(of).collect()
    }

    /// (A z) of a cell, A by this array of coefficients.
    fn product(
        &self,
        world: &World,
        coefficient: &str,
        cell: I64Vec3,
        z: impl Fn(I64Vec3) -> f64,
    ) -> f64 {
        let faces = self.faces(cell, axes(&world.params)).into_iter();
        let linked =
            faces.map(|(axis, face, other)| match element::<4>(world, coefficient, face)[axis] {
                0.0 => 0.0,
                a => a * z(other),
            });
        let [.., own] = element::<4>(world, coefficient, self.index(cell));
        own * z(cell) - linked.sum::<f64>()
    }

    /// ω r over the diagonal, 0 without an equation.
    fn swept(&self, world: &World, [coefficient, rest]: [&str; 2], cell: I64Vec3) -> f64 {
        let [.., diagonal] = element::<4>(world, coefficient, self.index(cell));
        let [r, _] = element(world, rest, self.index(cell));
        if diagonal > 0.0 { RELAX * r / diagonal } else { 0.0 }
    }
}

/// Coefficients of the next level.
pub(crate) fn coarsen(world: &mut World) {
    let params = world.params;
    let [finer, level] =
        [world.stage.level, world.stage.level + 1].map(|number| Level::of(&params, number));
    let mut sums = vec![[0.0; 4]; level.size.element_product() as usize];
    for cell in finer.cells().filter(|cell| finer.has_inside(*cell)) {
        let own: [f64; 4] = element(world, "odd_coefficient", finer.index(cell));
        let parent = finer.parent(cell);
        let sum = &mut sums[level.index(parent) - level.first];
        sum[3] += own[3];
        for axis in 0..axes(&params) {
            let other = cell - I64Vec3::AXES[axis];
            // Neighbours in one cell exchange nothing; around a periodic end they are not neighbours within it.
            if finer.has_inside(other) && finer.parent(other) == parent {
                sum[3] -= 2.0 * own[axis];
            } else {
                sum[axis] += own[axis];
            }
        }
    }
    for (c, sum) in sums.into_iter().enumerate() {
        set(world, "even_coefficient", level.first + c, sum.map(|a| a / STIFFNESS));
    }
}

/// Coefficients of the next level, where what diagonals have beside their faces is not divided (`wgsl/pressure/coarsen`).
pub(crate) fn coarsen_screened(world: &mut World) {
    let params = world.params;
    let [finer, level] =
        [world.stage.level, world.stage.level + 1].map(|number| Level::of(&params, number));
    let mut sums = vec![[0.0; 4]; level.size.element_product() as usize];
    for cell in finer.cells() {
        let own: [f64; 4] = element(world, "odd_coefficient", finer.index(cell));
        let parent = finer.parent(cell);
        let mut rest = own[3];
        let sum = &mut sums[level.index(parent) - level.first];
        for (axis, face, other) in finer.faces(cell, axes(&params)) {
            let a = element::<4>(world, "odd_coefficient", face)[axis];
            rest -= a;
            let is_lower = face == finer.index(cell) && other[axis] < cell[axis];
            // Around an end the cells are not neighbours within one of the next level.
            if finer.has_inside(other) && finer.parent(other) == parent {
                continue;
            }
            sum[3] += a / STIFFNESS;
            if is_lower {
                sum[axis] += a / STIFFNESS;
            }
        }
        sum[3] += rest.max(0.0);
    }
    for (c, sum) in sums.into_iter().enumerate() {
        set(world, "even_coefficient", level.first + c, sum);
    }
}

/// Coefficients β²/a² (N + N')/2 of the faces between cells of the first level where its remainder has N > 0, and S from the
/// second lane (`wgsl/pressure/faces`).
pub(crate) fn faces(world: &mut World) {
    let params = world.params;
    let level = Level::of(&params, 1);
    let kernel = params.kernel;
    let slope = f64::from(kernel.density_calibration) / f64::from(kernel.gradient_calibration);
    for cell in level.cells() {
        let [own, screen]: [f64; 2] = element(world, "odd_remainder", level.index(cell));
        let mut found = [0.0, 0.0, 0.0, screen];
        for (axis, face, beyond) in level.faces(cell, axes(&params)) {
            let [other, _]: [f64; 2] = element(world, "odd_remainder", level.index(beyond));
            let share = slope / 2.0 * f64::from(params.grid.inverse_cell[axis]);
            let a = if other > 0.0 { share.powi(2) * (own + other) / 2.0 } else { 0.0 };
            found[3] += a;
            if face == level.index(cell) && beyond[axis] < cell[axis] {
                found[axis] = a;
            }
        }
        let found = if own > 0.0 { found } else { [0.0; 4] };
        set(world, "odd_coefficient", level.index(cell), found);
    }
}

/// Number of cells of the first level.
pub(crate) fn coarse_cells(params: &Params) -> usize {
    Level::of(params, 1).size.element_product() as usize
}

/// Numbers of the finest cells that a cell of the first level consists of.
pub(crate) fn children(params: &Params, number: usize) -> Vec<usize> {
    let [finest, level] = [0, 1].map(|number| Level::of(params, number));
    let belongs = |cell: &I64Vec3| level.index(finest.parent(*cell)) == number;
    finest.cells().filter(belongs).map(|cell| finest.index(cell)).collect()
}

/// z of the first level's second sweep, by cells; 0 without an equation.
pub(crate) fn coarse_sweep(world: &World) -> Vec<f64> {
    let mut found = vec![0.0; coarse_cells(&world.params)];
    for (c, z) in second_sweep(world, 1, ["odd_coefficient", "odd_remainder", "even_u"]) {
        found[c] = z;
    }
    found
}

/// The residual that the first sweep leaves, on the next level.
pub(crate) fn down(world: &mut World) {
    let params = world.params;
    let [finer, level] =
        [world.stage.level, world.stage.level + 1].map(|number| Level::of(&params, number));
    let mut sums = vec![0.0; level.size.element_product() as usize];
    for cell in finer.cells().filter(|cell| finer.has_inside(*cell)) {
        let c = finer.index(cell);
        let [.., diagonal] = element::<4>(world, "odd_coefficient", c);
        if diagonal == 0.0 {
            continue;
        }
        let z = |cell: I64Vec3| finer.swept(world, ["odd_coefficient", "odd_remainder"], cell);
        let [r, _] = element(world, "odd_remainder", c);
        let left = r - finer.product(world, "odd_coefficient", cell, z);
        sums[level.index(finer.parent(cell)) - level.first] += left;
    }
    for (c, sum) in sums.into_iter().enumerate() {
        set(world, "even_remainder", level.first + c, [sum, 0.0]);
    }
}

/// Sweeps of the coarsest level.
pub(crate) fn bottom(world: &mut World) {
    let level = Level::of(&world.params, world.stage.level);
    let inside: Vec<_> = level.cells().filter(|cell| level.has_inside(*cell)).collect();
    let mut z = vec![0.0; level.size.element_product() as usize];
    // Twice as many sweeps as there are cells along the longest axis.
    let sweeps = 2 * (level.size - 2 * level.ring).max_element();
    for _ in 0..sweeps {
        let before = z.clone();
        let at = |cell: I64Vec3| before[level.index(cell) - level.first];
        for cell in &inside {
            let c = level.index(*cell);
            let [.., diagonal] = element::<4>(world, "odd_coefficient", c);
            let [r, _] = element(world, "odd_remainder", c);
            if diagonal > 0.0 {
                let left = r - level.product(world, "odd_coefficient", *cell, at);
                z[c - level.first] += RELAX * left / diagonal;
            }
        }
    }
    for cell in inside {
        let c = level.index(cell);
        set(world, "odd_u", c, [z[c - level.first]]);
    }
}

/// z of a level's second sweep at its cells with an equation, by the names of its coefficients, its residual and the
/// coarser level's z.
fn second_sweep(
    world: &World,
    number: u32,
    [coefficient, rest, coarser]: [&str; 3],
) -> Vec<(usize, f64)> {
    let [level, next] = [number, number + 1].map(|number| Level::of(&world.params, number));
    let z = |cell: I64Vec3| {
        let cell = cell.rem_euclid(level.size);
        let [found] = element(world, coarser, next.index(level.parent(cell)));
        level.swept(world, [coefficient, rest], cell) + found
    };
    let inside = level.cells().filter(|cell| level.has_inside(*cell));
    let of = |cell: I64Vec3| {
        let c = level.index(cell);
        let [.., diagonal] = element::<4>(world, coefficient, c);
        let [r, _] = element(world, rest, c);
        let left = || r - level.product(world, coefficient, cell, z);
        (diagonal > 0.0).then(|| (c, z(cell) + RELAX * left() / diagonal))
    };
    inside.filter_map(of).collect()
}

/// The second sweep of a level.
pub(crate) fn up(world: &mut World) {
    let found =
        second_sweep(world, world.stage.level, ["odd_coefficient", "odd_remainder", "even_u"]);
    found.into_iter().for_each(|(c, z)| set(world, "odd_u", c, [z]));
}

/// The second sweep of the first level.
pub(crate) fn finish(world: &mut World) {
    let found = second_sweep(world, 0, ["coefficient", "remainder", "odd_u"]);
    found.into_iter().for_each(|(c, z)| set(world, "poisson_u", c, [z]));
}
