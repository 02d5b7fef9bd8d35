//! The levels of the pressure's preconditioner (`wgsl/multigrid/`), by sums over all cells of a level.

use glam::I64Vec3;
use meniscus_model::Params;

use crate::World;
use crate::faces::{axes, element, set};

/// ω of a sweep.
const RELAX: f64 = 0.8;
/// σ, by which coarse coefficients are divided.
const STIFFNESS: f64 = 1.8;
/// Sweeps of the coarsest level.
const SWEEPS: usize = 20;

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
        let is_open = |axis: usize| grid.period[axis] == 0.0 && axis < axes(params);
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
        let own: [f64; 4] = element(world, "coefficient", finer.index(cell));
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
        set(world, "odd_coefficient", level.first + c, sum.map(|a| a / STIFFNESS));
    }
}

/// The residual that the first sweep leaves, on the next level.
pub(crate) fn down(world: &mut World) {
    let params = world.params;
    let [finer, level] =
        [world.stage.level, world.stage.level + 1].map(|number| Level::of(&params, number));
    let mut sums = vec![0.0; level.size.element_product() as usize];
    for cell in finer.cells().filter(|cell| finer.has_inside(*cell)) {
        let c = finer.index(cell);
        let [.., diagonal] = element::<4>(world, "coefficient", c);
        if diagonal == 0.0 {
            continue;
        }
        let z = |cell: I64Vec3| finer.swept(world, ["coefficient", "remainder"], cell);
        let [r, _] = element(world, "remainder", c);
        let left = r - finer.product(world, "coefficient", cell, z);
        sums[level.index(finer.parent(cell)) - level.first] += left;
    }
    for (c, sum) in sums.into_iter().enumerate() {
        set(world, "odd_remainder", level.first + c, [sum, 0.0]);
    }
}

/// Sweeps of the coarsest level.
pub(crate) fn bottom(world: &mut World) {
    let level = Level::of(&world.params, world.stage.level);
    let inside: Vec<_> = level.cells().filter(|cell| level.has_inside(*cell)).collect();
    let mut z = vec![0.0; level.size.element_product() as usize];
    for _ in 0..SWEEPS {
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
