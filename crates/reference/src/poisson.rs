//! The pressure of liquids and smoke on a grid (`wgsl/poisson/`), with sums over all cells.

use meniscus_model::Params;

use crate::World;
use crate::emit::flows;
use crate::faces::{axes, cells, element, next, open_share, set, through};
use crate::grid::{busy_blocks, busy_cells, cells_of_block, center, coordinates, edge, volume};
use crate::repeat::end_iteration;
use crate::space::{clamped_cell, xyz};

/// Least θ of a surface between two cells.
const LEAST_PART: f64 = 0.05;
/// Least coefficient of air or an open side.
const BOUNDED: f64 = 0.01;
/// Cover above which a cell is liquid.
const HALF_FULL: f64 = 0.5;
/// Free share of the hat of a cell of which walls leave next to nothing.
const ALL_BUT_CLOSED: f64 = 0.2;
/// Least time in s of whose errors the residual of smoke is the sum.
const LEAST_SPAN: f64 = 0.02;
/// Cells of a workgroup.
const GROUP: usize = 64;

fn share_of(world: &World, c: usize) -> f64 {
    element::<1>(world, "solid_share", c)[0]
}

fn is_covered(world: &World, c: usize) -> bool {
    element::<1>(world, "cover", c)[0] > HALF_FULL && share_of(world, c) >= ALL_BUT_CLOSED
}

fn has_fluid(world: &World, c: usize) -> bool {
    let params = &world.params;
    if element::<1>(world, "cover", c)[0] > HALF_FULL {
        return true;
    }
    if share_of(world, c) >= ALL_BUT_CLOSED || in_ring(params, c) {
        return false;
    }
    (0..axes(params)).any(|axis| {
        let (below, above) = (next(params, c, axis, -1), next(params, c, axis, 1));
        [(c, below), (above, above)]
            .into_iter()
            .any(|(face, other)| open_share(world, face, axis) > 0.0 && is_covered(world, other))
    })
}

/// Whether a cell is in the outermost layer, which has no neighbours.
fn in_ring(params: &Params, c: usize) -> bool {
    let (cell, size) = (coordinates(params, c), params.grid.size.as_i64vec3());
    let is_last = |axis: usize| {
        params.grid.period[axis] == 0.0 && (cell[axis] == 0 || cell[axis] == size[axis] - 1)
    };
    (0..axes(params)).any(is_last)
}

/// θ between a liquid cell and its neighbour in air.
pub(crate) fn part(world: &World, c: usize, air: usize) -> f64 {
    if in_ring(&world.params, air) {
        return 0.5;
    }
    let [own] = element(world, "cover", c);
    let [other] = element(world, "cover", air);
    // A column whose surface is θ above the centre of the cell has as much in the hats of both.
    (own + other - HALF_FULL).clamp(LEAST_PART, 1.0)
}

/// Coefficients of the equation of pressure.
pub(crate) fn system(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        let mut a = [0.0; 4];
        for axis in 0..axes(&params) {
            let (below, above) = (next(&params, c, axis, -1), next(&params, c, axis, 1));
            for (face, other) in [(c, below), (above, above)] {
                if has_fluid(world, c) {
                    let (open, wet) = (open_share(world, face, axis), has_fluid(world, other));
                    a[3] += if wet { open } else { open / part(world, c, other) };
                    if wet && other == below && face == c {
                        a[axis] = open;
                    }
                }
            }
        }
        set(world, "coefficient", c, a);
        if a[3] == 0.0 {
            set(world, "solution", c, [0.0; 2]);
        }
    }
}

pub(crate) fn diagonal(world: &World, c: usize) -> f64 {
    element::<4>(world, "coefficient", c)[3]
}

/// Sums and the maximum of products.
pub(crate) fn together(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [a[0] + b[0], a[1] + b[1], a[2].max(b[2]), a[3] + b[3]]
}

/// Writes what `join` makes of the busy cells' values by workgroups.
pub(crate) fn by_group(
    world: &mut World,
    of: impl Fn(&World, usize) -> [f64; 4],
    join: fn([f64; 4], [f64; 4]) -> [f64; 4],
) {
    let blocks = busy_blocks(world).len();
    let room = world.floats("poisson_dots").len() / 4;
    let mut dots = vec![[0.0; 4]; blocks.div_ceil(GROUP / 8).min(room)];
    let is_smoke = world.params.counts.sources + world.params.counts.vortices > 0;
    // Cells beyond the box count in the numbering of blocks. Smoke fills the box, in the order of its cells.
    let block = |k: usize| cells_of_block(&world.params, busy_blocks(world)[k] as usize);
    let of_group = |group: usize| match is_smoke {
        true => (GROUP * group..cells(world).min(GROUP * (group + 1))).collect::<Vec<_>>(),
        false => (8 * group..blocks.min(8 * (group + 1))).flat_map(block).collect(),
    };
    for (group, dot) in dots.iter_mut().enumerate() {
        *dot = of_group(group).into_iter().fold([0.0; 4], |all, c| join(all, of(world, c)));
    }
    for (group, dot) in dots.into_iter().enumerate() {
        set(world, "poisson_dots", group, dot);
    }
}

/// Writes sums and maxima of the products of cells with an equation by workgroups.
fn sum_up(world: &mut World, of: impl Fn(&World, usize) -> [f64; 4]) {
    let of =
        |world: &World, c: usize| if diagonal(world, c) > 0.0 { of(world, c) } else { [0.0; 4] };
    by_group(world, of, together);
}

/// What `join` makes of all workgroups.
pub(crate) fn of_groups(world: &World, join: fn([f64; 4], [f64; 4]) -> [f64; 4]) -> [f64; 4] {
    let groups = busy_blocks(world).len().div_ceil(GROUP / 8);
    let (dots, _) = world.floats("poisson_dots").as_chunks::<4>();
    dots.iter().take(groups).fold([0.0; 4], |all, dot| join(all, *dot))
}

/// −Δx² D of a cell.
fn right_side(world: &World, c: usize) -> f64 {
    let params = world.params;
    let of =
        |axis: usize| through(world, c, axis) - through(world, next(&params, c, axis, 1), axis);
    edge(&params) * (0..axes(&params)).map(of).sum::<f64>()
}

/// Whether air or an open side bounds a cell of liquid.
fn is_bounded(world: &World, c: usize) -> bool {
    let params = &world.params;
    let of = |c: usize, axis: usize| element::<4>(world, "coefficient", c)[axis];
    let inner = |axis: usize| of(c, axis) + of(next(params, c, axis, 1), axis);
    diagonal(world, c) - (0..axes(params)).map(inner).sum::<f64>() > BOUNDED
}

/// Right-hand side by `of`, and its sums.
fn right_sides(world: &mut World, of: impl Fn(&World, usize) -> f64) {
    for c in busy_cells(world) {
        let r = if diagonal(world, c) > 0.0 { of(world, c) } else { 0.0 };
        set(world, "remainder", c, [r, 0.0]);
    }
    sum_up(world, |world, c| [of(world, c), 1.0, f64::from(u8::from(is_bounded(world, c))), 0.0]);
}

/// Right-hand side of the pressure.
pub(crate) fn divergence(world: &mut World) {
    right_sides(world, right_side);
}

/// Right-hand side of the pressure that keeps the volume (`wgsl/liquid/excess`).
pub(crate) fn excess(world: &mut World) {
    right_sides(world, |world, c| {
        let [[cover], [share]] = ["cover", "solid_share"].map(|name| element(world, name, c));
        let least = if is_bounded(world, c) { 0.0 } else { -0.5 };
        match f64::from(world.control.dt) {
            dt if dt == 0.0 || share < 0.5 => 0.0,
            dt => edge(&world.params).powi(2) * f64::clamp(cover - 1.0, least, 0.5) / dt,
        }
    });
}

/// Adds what emitters pour into cells (`wgsl/liquid/pour`).
pub(crate) fn pour(world: &mut World) {
    let params = world.params;
    let size = params.grid.size.as_i64vec3();
    for c in busy_cells(world) {
        if diagonal(world, c) <= 0.0 {
            continue;
        }
        let x = center(&params, coordinates(&params, c));
        let mut rate = 0.0;
        for (e, emitter) in world.emitters.iter().enumerate() {
            let interval = f64::from(emitter.interval);
            if !flows(world, e) {
                continue;
            }
            let cell = |x| clamped_cell(&params, x);
            let points = &world.emitter_points[emitter.first_point as usize..];
            let points = points.iter().take(emitter.point_count as usize);
            let here = points.filter(|point| cell(xyz(**point)) == cell(x)).count() as f64;
            let behind = x - edge(&params) * emitter.direction.as_dvec3();
            let back = cell(behind).rem_euclid(size);
            let is_inner = (0..axes(&params)).all(|axis| {
                params.grid.period[axis] > 0.0 || (1..size[axis] - 1).contains(&back[axis])
            });
            let b = (back.x + size.x * (back.y + size.y * back.z)) as usize;
            let [[share], [cover]] = ["solid_share", "cover"].map(|name| element(world, name, b));
            let closed = if is_inner { 1.0 - share * (1.0 - f64::min(cover, 1.0)) } else { 1.0 };
            let material = world.material([0, emitter.identity]);
            rate += here * closed * f64::from(material.rest_volume) / interval / volume(&params);
        }
        let [r, w] = element(world, "remainder", c);
        set(world, "remainder", c, [r + edge(&params).powi(2) * rate, w]);
    }
}

/// Mean of the right-hand side, if nothing else bounds the pressure.
pub(crate) fn mean(world: &mut World) {
    let [sum, count, bounded, _] = of_groups(world, together);
    let each = if bounded > 0.0 { 0.0 } else { 1.0 / count.max(1.0) };
    set(world, "poisson_scalars", 0, [each * sum, 0.0, 0.0, 0.0]);
    set(world, "poisson_singular", 0, [each]);
}

/// P = 0.
pub(crate) fn start(world: &mut World) {
    let [mean, ..] = element::<4>(world, "poisson_scalars", 0);
    for c in busy_cells(world) {
        let diagonal = diagonal(world, c);
        let [r, _] = element(world, "remainder", c);
        let r = if diagonal > 0.0 { r - mean } else { 0.0 };
        set(world, "remainder", c, [r, 0.0]);
        set(world, "poisson_u", c, [if diagonal > 0.0 { r / diagonal } else { 0.0 }]);
        set(world, "solution", c, [0.0; 2]);
    }
}

/// The P of the last step.
pub(crate) fn warm(world: &mut World) {
    let [mean, ..] = element::<4>(world, "poisson_scalars", 0);
    for c in busy_cells(world) {
        let diagonal = diagonal(world, c);
        let [b, _] = element(world, "remainder", c);
        let pressure = |world: &World, c: usize| element::<2>(world, "solution", c)[0];
        let r = if diagonal > 0.0 {
            b - mean - product(world, c, pressure) - of_bodies(world, c)
        } else {
            0.0
        };
        set(world, "remainder", c, [r, 0.0]);
        set(world, "poisson_u", c, [if diagonal > 0.0 { r / diagonal } else { 0.0 }]);
    }
}

/// A of a cell with an equation times what `of` says of cells.
fn product(world: &World, c: usize, of: impl Fn(&World, usize) -> f64) -> f64 {
    let params = &world.params;
    let mut sum = diagonal(world, c) * of(world, c);
    for axis in 0..axes(params) {
        let (below, above) = (next(params, c, axis, -1), next(params, c, axis, 1));
        for (face, other) in [(c, below), (above, above)] {
            match element::<4>(world, "coefficient", face)[axis] {
                0.0 => {}
                a => sum -= a * of(world, other),
            }
        }
    }
    sum
}

/// What bodies that yield add to a product (`wgsl/liquid/yield`), in stages of the level 1.
fn of_bodies(world: &World, c: usize) -> f64 {
    if world.stage.level == 1 { element::<1>(world, "poisson_w", c)[0] } else { 0.0 }
}

/// w = A u.
pub(crate) fn apply(world: &mut World) {
    for c in busy_cells(world) {
        if diagonal(world, c) > 0.0 {
            let w = product(world, c, |world, c| element::<1>(world, "poisson_u", c)[0]);
            set(world, "poisson_w", c, [w + of_bodies(world, c)]);
        }
    }
    sum_up(world, |world, c| {
        let [r, _] = element(world, "remainder", c);
        let ([u], [w]) = (element(world, "poisson_u", c), element(world, "poisson_w", c));
        [r * u, u * w, r.abs(), r]
    });
}

/// α and β of an iteration of conjugate gradients, by α, β and γ of the last one and by γ and δ.
pub(crate) fn next_scalars(world: &World, last: [f64; 4], [gamma, delta]: [f64; 2]) -> [f64; 2] {
    let [alpha, _, before, _] = last;
    let goes_on = world.control.iteration > 0 && alpha > 0.0 && before > 0.0;
    let beta = if goes_on { gamma / before } else { 0.0 };
    let curvature = if goes_on { delta - beta * gamma / alpha } else { delta };
    let solvable = gamma > 0.0 && curvature > 0.0;
    if solvable { [gamma / curvature, beta] } else { [0.0, 0.0] }
}

/// α, β and the residual in percent, by which the loop ends.
pub(crate) fn total(world: &mut World) {
    let [gamma, delta, most, sum] = of_groups(world, together);
    let last: [f64; 4] = element(world, "poisson_scalars", 0);
    let [alpha, beta] = next_scalars(world, last, [gamma, delta]);
    let [each]: [f64; 1] = element(world, "poisson_singular", 0);
    set(world, "poisson_scalars", 0, [alpha, beta, gamma, each * sum]);
    let counts = &world.params.counts;
    let dt = f64::from(world.control.dt);
    let span =
        if dt > 0.0 && counts.sources + counts.vortices > 0 { dt.max(LEAST_SPAN) } else { dt };
    let percent = 100.0 * span * most / edge(&world.params).powi(2);
    let residual = if alpha > 0.0 { percent } else { 0.0 };
    set(world, "poisson_residual", 0, [residual]);
    end_iteration(world, residual);
}

/// A step of conjugate gradients, and its residual over the diagonal.
pub(crate) fn step(world: &mut World) {
    advance(world);
    for c in busy_cells(world) {
        let (diagonal, [r, _]) = (diagonal(world, c), element(world, "remainder", c));
        if diagonal > 0.0 {
            set(world, "poisson_u", c, [r / diagonal]);
        }
    }
}

/// A step of conjugate gradients (`wgsl/multigrid/step`).
pub(crate) fn advance(world: &mut World) {
    let [alpha, beta, _, mean] = element::<4>(world, "poisson_scalars", 0);
    for c in busy_cells(world) {
        if diagonal(world, c) == 0.0 {
            continue;
        }
        let [solution, direction] = element(world, "solution", c);
        let [r, s] = element(world, "remainder", c);
        let ([u], [w]) = (element(world, "poisson_u", c), element(world, "poisson_w", c));
        let (direction, s) = (u + beta * direction, w + beta * s);
        let r = r - alpha * s - mean;
        set(world, "solution", c, [solution + alpha * direction, direction]);
        set(world, "remainder", c, [r, s]);
    }
}
