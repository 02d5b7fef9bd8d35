//! The level set of the Eulerian liquid (`wgsl/eulerian/`), by sums over the cells around each place.

use glam::DVec3;
use meniscus_model::Params;

use crate::World;
use crate::faces::{axes, cells, element, field_at, hat_along, nearest, next, path, set, solids};
use crate::grid::{busy_cells, center, coordinates, edge};
use crate::smoke::{is_inner, value};
use crate::space::{displacement, with_w, wrap, xyz};

/// Cells from the surface within which it is a distance.
const BAND: f64 = 4.0;
/// 0 is of cells that have none yet.
const LEAST: f64 = 1e-6;

fn level(world: &World, c: usize) -> f64 {
    element::<1>(world, "level_set", c)[0]
}

/// The cell beside another; at the ends of the box that cell itself.
fn beside(params: &Params, c: usize, axis: usize, step: i64) -> usize {
    let place = coordinates(params, c)[axis] + step;
    let inside = (0..params.grid.size.as_i64vec3()[axis]).contains(&place);
    let goes_on = params.grid.period[axis] > 0.0 || inside;
    if goes_on { next(params, c, axis, step) } else { c }
}

/// Values below and above along an axis.
fn sides(world: &World, c: usize, axis: usize) -> [f64; 2] {
    [-1, 1].map(|step| level(world, beside(&world.params, c, axis, step)))
}

/// Whether the surface is between a cell and one beside it.
fn is_near(world: &World, c: usize) -> bool {
    let own = level(world, c) < 0.0;
    let differs = |axis| sides(world, c, axis).into_iter().any(|other| (other < 0.0) != own);
    (0..axes(&world.params)).any(differs)
}

/// Cover by the level set, which begins by the cover of the particles.
pub(crate) fn cover(world: &mut World) {
    for c in busy_cells(world) {
        let mut d = level(world, c);
        if d == 0.0 {
            d = match element::<1>(world, "cover", c)[0].clamp(0.0, 1.0) {
                c if c > 0.5 => (2.0 * (1.0 - c)).sqrt() - 1.0,
                c => 1.0 - (2.0 * c).sqrt(),
            };
            d = if d == 0.0 { LEAST } else { d };
            set(world, "level_set", c, [d]);
        }
        let inner = is_inner(&world.params, c);
        let covered = if inner { (0.5 - d / 2.0).clamp(0.0, 1.0) } else { 0.0 };
        set(world, "cover", c, [covered]);
    }
}

/// The level set where the field has carried it from.
pub(crate) fn carry(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    let dt = f64::from(world.control.dt);
    let first = center(&params, coordinates(&params, 0));
    for c in busy_cells(world) {
        let mut from = path(world, center(&params, coordinates(&params, c)), -dt, field_at);
        if let Some((contact, ..)) = nearest(world, &solids, from) {
            from -= contact.distance.min(0.0) * contact.normal;
        }
        let carried = value(world, first, from, false, |c| level(world, c));
        set(world, "level_set_other", c, [carried]);
    }
}

/// Distances beside the surface.
pub(crate) fn near(world: &mut World) {
    for c in busy_cells(world) {
        let own = level(world, c);
        let slope = |axis: usize| {
            let sides = sides(world, c, axis);
            let across = sides.into_iter().filter(|other| (*other < 0.0) != (own < 0.0));
            let steepest = across.map(|other| (other - own).abs()).reduce(f64::max);
            steepest.unwrap_or((sides[1] - sides[0]).abs() / 2.0)
        };
        let away = match is_near(world, c) {
            true => {
                let steep = (0..axes(&world.params)).map(|axis| slope(axis).powi(2)).sum::<f64>();
                (own.abs() / steep.max(1e-30).sqrt()).clamp(LEAST, BAND)
            }
            false => BAND,
        };
        set(world, "level_set_other", c, [if own < 0.0 { -away } else { away }]);
    }
}

/// Distances of all other cells by those beside them: the least that an axis or several of them give.
pub(crate) fn sweep(world: &mut World) {
    for c in busy_cells(world) {
        let own = level(world, c);
        let mut away = own.abs();
        if !is_near(world, c) {
            let least = |axis| sides(world, c, axis).map(f64::abs).into_iter().reduce(f64::min);
            let mut a: Vec<f64> = (0..axes(&world.params)).filter_map(least).collect();
            a.sort_by(f64::total_cmp);
            // The largest number of axes whose values are all below the solution.
            let solve = |n: usize| {
                let n = a.len().min(n);
                let (sum, squares) =
                    a[..n].iter().fold((0.0, 0.0), |(sum, squares), a| (sum + a, squares + a * a));
                let root = sum * sum - n as f64 * (squares - 1.0);
                (sum + root.max(0.0).sqrt()) / n as f64
            };
            let count = (1..a.len()).find(|n| solve(*n) <= a[*n]).unwrap_or(a.len());
            away = away.min(solve(count));
        }
        set(world, "level_set_other", c, [if own < 0.0 { -away } else { away }]);
    }
}

/// Level set and its gradient in cells at a place.
fn at(world: &World, x: DVec3) -> (f64, DVec3) {
    let params = &world.params;
    let (mut d, mut slope) = (0.0, DVec3::ZERO);
    for c in 0..cells(world) {
        let offset = displacement(params, center(params, coordinates(params, c)), x);
        d += level(world, c) * hat_along(params, offset, 0);
        for axis in 0..axes(params) {
            slope[axis] += level(world, c) * hat_along(params, offset, 1 << axis);
        }
    }
    (d, slope)
}

/// Particles outside of the liquid follow it.
pub(crate) fn attract(world: &mut World) {
    for s in world.handled().collect::<Vec<_>>() {
        let x = xyz(world.position[s]);
        let (d, slope) = at(world, x);
        if d > 0.0 && d < BAND && slope.length() >= 1e-3 {
            let way = (d + 0.25).min(0.25) * edge(&world.params);
            let place = wrap(&world.params, x - way * slope.normalize());
            world.position[s] = with_w(place, world.position[s][3]);
        }
    }
}
