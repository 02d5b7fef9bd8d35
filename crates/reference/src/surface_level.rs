//! The level set of the Eulerian liquid (`wgsl/eulerian/`), by sums over the cells around each place.

use glam::DVec3;
use meniscus_model::Params;

use crate::World;
use crate::faces::{axes, cells, element, hat_along, nearest, next, path, set, solids};
use crate::grid::{busy_cells, center, coordinates, edge, volume};
use crate::poisson::{by_group, diagonal, of_groups, together};
use crate::smoke::{around, field_at, is_inner, spline, value};
use crate::space::{with_w, wrap, xyz};
use crate::surface::{SHALLOW, on_nodes};

/// Cells from the surface within which it is a distance.
pub(crate) const BAND: f64 = 4.0;
/// 0 is of cells that have none yet.
pub(crate) const LEAST: f64 = 1e-6;

pub(crate) fn level(world: &World, c: usize) -> f64 {
    element::<1>(world, "level_set", c)[0]
}

/// The cell a few cells along an axis from another; beyond the ends of the box the last one.
pub(crate) fn beside(params: &Params, c: usize, axis: usize, step: i64) -> usize {
    let (own, size) = (coordinates(params, c)[axis], params.grid.size.as_i64vec3()[axis]);
    let ends =
        if params.grid.period[axis] > 0.0 { step } else { (own + step).clamp(0, size - 1) - own };
    next(params, c, axis, ends)
}

/// Values below and above along an axis.
pub(crate) fn sides(world: &World, c: usize, axis: usize) -> [f64; 2] {
    [-1, 1].map(|step| level(world, beside(&world.params, c, axis, step)))
}

/// Whether the surface is between a cell and one beside it.
pub(crate) fn is_near(world: &World, c: usize) -> bool {
    let own = level(world, c) < 0.0;
    let differs = |axis| sides(world, c, axis).into_iter().any(|other| (other < 0.0) != own);
    (0..axes(&world.params)).any(differs)
}

/// Slopes that stay.
pub(crate) fn kept_slopes(world: &World) -> [f64; 2] {
    if world.number("gas.lightness") > 0.0 { [0.95, 1.05] } else { [0.8, 1.25] }
}

/// Cover by a plane at a distance.
pub(crate) fn plane_cover(d: f64) -> f64 {
    let part = (1.0 - d.abs()).max(0.0).powi(2) / 2.0;
    if d < 0.0 { 1.0 - part } else { part }
}

/// Distance of a plane by its cover.
pub(crate) fn plane_distance(covered: f64) -> f64 {
    match covered {
        c if c > 0.5 => (2.0 * (1.0 - c)).sqrt() - 1.0,
        c => 1.0 - (2.0 * c).sqrt(),
    }
}

/// Cover by the level set, which begins by the cover of the particles (`wgsl/eulerian/level`).
pub(crate) fn cover(world: &mut World) {
    for c in busy_cells(world) {
        let mut covered = element::<1>(world, "cover", c)[0].clamp(0.0, 1.0);
        match level(world, c) {
            0.0 => {
                let d = plane_distance(covered);
                set(world, "level_set", c, [if d == 0.0 { LEAST } else { d }]);
            }
            d => covered = plane_cover(d),
        }
        if !is_inner(&world.params, c) {
            covered = 0.0;
        }
        set(world, "cover", c, [covered]);
    }
}

/// Volumes of liquid and of what solids leave free.
pub(crate) fn measure(world: &mut World) {
    let of = |world: &World, c: usize| {
        if !is_inner(&world.params, c) {
            return [0.0; 4];
        }
        let wall = match element::<1>(world, "solid_share", c)[0] {
            share if share > 0.5 => 1.0 - (2.0 * (1.0 - share).max(0.0)).sqrt(),
            share => (2.0 * share).sqrt() - 1.0,
        };
        let free = (0.5 + wall).clamp(0.0, 1.0);
        [free * (0.5 - level(world, c)).clamp(0.0, 1.0), free, 0.0, 0.0]
    };
    by_group(world, of, together);
}

/// Rate at which liquid expands.
pub(crate) fn total(world: &mut World) {
    let [liquid, free, ..] = of_groups(world, together);
    let count = f64::from(world.control.particle_count);
    let mut each = world.floats("level_rate")[1];
    if each == 0.0 {
        each = match world.number("gas.lightness") > 0.0 && count > 0.0 {
            true => liquid / count,
            false => f64::from(world.params.materials[0].rest_volume) / volume(&world.params),
        };
    }
    let due = count * each;
    let lack = ((due - liquid) / liquid.max(1.0)).clamp(-0.1, 0.1);
    let dt = f64::from(world.control.dt);
    let rate = if dt > 0.0 && free - liquid > 1.0 { 0.05 * lack / dt } else { 0.0 };
    set(world, "level_rate", 0, [rate, each]);
}

/// Adds what liquid expands, and to the sums of workgroups.
pub(crate) fn fill(world: &mut World) {
    let [rate]: [f64; 1] = element(world, "level_rate", 0);
    let has_gas = world.number("gas.lightness") > 0.0;
    let of = |world: &World, c: usize| {
        let fills = diagonal(world, c) > 0.0 && (!has_gas || level(world, c) < 0.0);
        if fills { edge(&world.params).powi(2) * rate } else { 0.0 }
    };
    for c in busy_cells(world) {
        let [r, s] = element(world, "remainder", c);
        set(world, "remainder", c, [r + of(world, c), s]);
    }
    let before = world.floats("poisson_dots").to_vec();
    world.floats_mut("poisson_dots").fill(0.0);
    by_group(world, |world, c| [of(world, c), 0.0, 0.0, 0.0], together);
    for (after, before) in world.floats_mut("poisson_dots").iter_mut().zip(before) {
        *after += before;
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
        if let Some((contact, ..)) =
            nearest(world, &solids, from).filter(|(contact, ..)| contact.distance < 0.0)
        {
            from += (edge(&params) / 2.0 - contact.distance) * contact.normal;
        }
        let carried = value(world, first, from, false, |c| level(world, c));
        set(world, "level_set_other", c, [carried]);
    }
}

/// Distances beside the surface.
pub(crate) fn near(world: &mut World) {
    let [flat, steep] = kept_slopes(world);
    for c in busy_cells(world) {
        let own = level(world, c);
        let all = 0..axes(&world.params);
        let length = |of: &dyn Fn([f64; 2]) -> f64| {
            all.clone().map(|axis| of(sides(world, c, axis)).powi(2)).sum::<f64>().sqrt()
        };
        let central = length(&|[below, above]| (above - below) / 2.0);
        let largest =
            length(&|both| both.map(|other| (other - own).abs()).into_iter().fold(0.0, f64::max));
        // Distances to the surface along the axes.
        let others = all.clone().flat_map(|axis| sides(world, c, axis));
        let along = others
            .filter(|other| (*other < 0.0) != (own < 0.0))
            .map(|other| own.abs() / (other - own).abs());
        let away = match is_near(world, c) {
            true => {
                let most = along.fold(BAND, f64::min);
                let mut slope = 1.0;
                if central > steep {
                    slope *= central / steep;
                }
                if largest < flat {
                    slope *= largest / flat;
                }
                (own.abs() / slope.max(1e-6)).min(most.max(own.abs())).clamp(LEAST, BAND)
            }
            false => BAND,
        };
        set(world, "level_set_other", c, [if own < 0.0 { -away } else { away }]);
    }
}

/// Distances of all other cells by those nearer to the surface: the least that an axis or several of them give.
pub(crate) fn sweep(world: &mut World) {
    for c in busy_cells(world) {
        let own = level(world, c);
        let side = if own < 0.0 { -1.0 } else { 1.0 };
        let mut away = own.abs();
        if !is_near(world, c) {
            // Coefficients of u², −2 u and 1 in the squares of the differences, and where each is 0.
            let mut all: Vec<(f64, [f64; 3])> = Vec::new();
            for axis in 0..axes(&world.params) {
                let value = |step| side * level(world, beside(&world.params, c, axis, step));
                let way = if value(-1) < value(1) { -1 } else { 1 };
                let (first, second) = (value(way), value(2 * way));
                let (zero, square) = match second < first {
                    true => ((4.0 * first - second) / 3.0, 9.0 / 4.0),
                    false => (first, 1.0),
                };
                all.push((zero, [square, square * zero, square * zero * zero]));
            }
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            let solve = |count: usize| {
                let sum = |k: usize| all[..count].iter().map(|(_, part)| part[k]).sum::<f64>();
                let [a, b, c] = [sum(0), sum(1), sum(2) - 1.0];
                (b + (b * b - a * c).max(0.0).sqrt()) / a
            };
            let count = (1..all.len()).find(|n| solve(*n) <= all[*n].0).unwrap_or(all.len());
            away = solve(count).clamp(LEAST, BAND);
        }
        set(world, "level_set_other", c, [side * away]);
    }
}

/// Level set and its gradient in cells at a place.
pub(crate) fn at(world: &World, x: DVec3) -> (f64, DVec3) {
    let params = &world.params;
    let first = center(params, coordinates(params, 0));
    let (mut d, mut slope) = (0.0, DVec3::ZERO);
    for (c, offset) in around(params, first, x) {
        let offset = edge(params) * offset;
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

/// Content of each cell for the surface's mesh.
pub(crate) fn mark(world: &mut World) {
    for c in 0..cells(world) {
        let (d, [wall]) = (level(world, c), element::<1>(world, "solid_distance", c));
        let near = d > -1.9 || wall < 1.9;
        let holds = d < 0.9 && wall > -1.9;
        let state = if near { 0xff | SHALLOW } else { 0xff };
        world.surface_state[c] = if holds && is_inner(&world.params, c) { state } else { 0 };
    }
}

/// Field at the nodes of the surface's mesh (`wgsl/eulerian/surface`).
pub(crate) fn mesh(world: &mut World) {
    let params = world.params;
    let first = center(&params, coordinates(&params, 0));
    let corner = first - 0.5 * edge(&params) * DVec3::ONE;
    on_nodes(world, |world, x| {
        let d = spline(&params, first, x, |c| level(world, c));
        let wall = value(world, corner, x, true, |c| element::<1>(world, "solid_distance", c)[0]);
        0.5 - d.max(-wall) / 2.0
    });
}
