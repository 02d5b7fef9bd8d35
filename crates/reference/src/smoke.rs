//! Smoke (`wgsl/smoke/`), by sums over the cells around each place.

pub(crate) mod sources;
pub(crate) mod vortices;

use glam::{DVec3, DVec4, I64Vec3};
use meniscus_model::Params;
use meniscus_model::control::FAILURE_NOT_FINITE;

use crate::World;
use crate::body::Posed;
use crate::diagnostics::{NOTHING, Rows};
use crate::faces::{
    axes, cells, element, is_open, middle, nearest, nearest_solid, next, open_share, path, rise,
    set, solids, through,
};
use crate::grid::{center, coordinates, edge, volume};
use crate::integrate::by_fields;
use sources::{share, sources, stirred};

/// Density of air in kg/m³.
const AIR: f64 = 1.204;

/// Whether a cell is within the domain.
pub(crate) fn is_inner(params: &Params, c: usize) -> bool {
    let (cell, size) = (coordinates(params, c), params.grid.size.as_i64vec3());
    (0..axes(params))
        .all(|axis| params.grid.period[axis] > 0.0 || (1..size[axis] - 1).contains(&cell[axis]))
}

/// Buoyancy, force fields and the velocities of sources.
pub(crate) fn force(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt) * world.number("stable_fluids.share");
    let [alpha, beta] =
        ["weight", "buoyancy"].map(|name| world.number(&format!("stable_fluids.{name}")));
    for c in 0..cells(world) {
        let mut u: [f64; 4] = element(world, "face", c);
        for (axis, u) in u.iter_mut().enumerate().take(axes(&params)) {
            let x = middle(&params, c, axis);
            let sides = [c, next(&params, c, axis, -1)];
            let mean = |lane: usize| {
                sides.map(|c| element::<4>(world, "smoke_other", c)[lane]).iter().sum::<f64>() / 2.0
            };
            let own = DVec3::AXES[axis] * *u;
            let push = |c: usize| element::<4>(world, "confinement", c)[axis];
            if world.number("stable_fluids.confinement") > 0.0 {
                *u += dt * sides.map(push).iter().sum::<f64>() / 2.0;
            }
            // ρ0/ρ − 1, or its slope.
            let heat = match world.number("stable_fluids.variable") == 1.0 {
                true => lightness(world, sides[0], sides[1]) - 1.0,
                false => beta * mean(1),
            };
            let weight = alpha * mean(0) - heat;
            let field = by_fields(world, x, own)[axis];
            *u += dt * (weight * f64::from(params.world.gravity[axis]) + field);
            for k in sources(world) {
                let kept: [f64; 20] = element(world, "source_values", k);
                if kept[3] > 0.0 {
                    *u += share(world, k, x) * (kept[axis] - *u);
                }
            }
            for (field, w) in stirred(world, x) {
                *u += w * (f64::from(field.direction[axis]) - *u);
            }
        }
        set(world, "face", c, u);
    }
}

/// Vorticity, as the mean over the four edges along each axis around a cell's centre.
pub(crate) fn vorticity(world: &mut World) {
    let params = world.params;
    for c in 0..cells(world) {
        let mut curl = DVec3::ZERO;
        let face = |c: usize, axis: usize| element::<4>(world, "face", c)[axis];
        for (a, b, along) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            if !is_inner(&params, c) || a >= axes(&params) || b >= axes(&params) {
                continue;
            }
            // Around the edge at a cell's lower corner in a and b.
            let edge_of = |c: usize| {
                let of =
                    |axis: usize, way: usize| face(c, axis) - face(next(&params, c, way, -1), axis);
                (of(b, a) - of(a, b)) / edge(&params)
            };
            let up = |c: usize, axis: usize| next(&params, c, axis, 1);
            let edges = [c, up(c, a), up(c, b), up(up(c, a), b)];
            // The upper end of the cell along the axis has the same edges.
            curl[along] = edges.map(edge_of).iter().sum::<f64>() / 4.0;
        }
        set(world, "vorticity", c, [curl.x, curl.y, curl.z, curl.length()]);
    }
}

/// Vorticity confinement.
pub(crate) fn confine(world: &mut World) {
    let params = world.params;
    let strength = world.number("stable_fluids.confinement");
    if strength == 0.0 {
        return;
    }
    for c in 0..cells(world) {
        let size = |c: usize| element::<4>(world, "vorticity", c)[3];
        let mut rise = DVec3::ZERO;
        for axis in 0..axes(&params) {
            rise[axis] = (size(next(&params, c, axis, 1)) - size(next(&params, c, axis, -1))) / 2.0;
        }
        let [x, y, z, l] = element::<4>(world, "vorticity", c);
        let push = match is_inner(&params, c) && rise.length() > 1e-5 * l {
            true => strength * edge(&params) * rise.normalize().cross(DVec3::new(x, y, z)),
            false => DVec3::ZERO,
        };
        set(world, "confinement", c, [push.x, push.y, push.z, 0.0]);
    }
}

/// Catmull and Rom's spline as a kernel (Keys 1981, a = −½).
fn cubic(s: f64) -> f64 {
    match s.abs() {
        s if s < 1.0 => 1.5 * s.powi(3) - 2.5 * s.powi(2) + 1.0,
        s if s < 2.0 => -0.5 * s.powi(3) + 2.5 * s.powi(2) - 4.0 * s + 2.0,
        _ => 0.0,
    }
}

/// Values of cells around a place on a lattice whose cell 0 has its value at `first`: the number of each within two
/// cells along each axis, and its offset in cells. Beyond the box they are those of its last cells.
pub(crate) fn around(params: &Params, first: DVec3, x: DVec3) -> Vec<(usize, DVec3)> {
    let s = (x - first) * params.grid.inverse_cell.as_dvec3();
    let size = params.grid.size.as_i64vec3();
    let base = s.floor().as_i64vec3();
    let reach = |axis: usize| if axis < axes(params) { -1..=2 } else { 0..=0 };
    let mut found = Vec::with_capacity(64);
    for dz in reach(2) {
        for dy in reach(1) {
            for dx in reach(0) {
                let at = base + I64Vec3::new(dx, dy, dz);
                let mut cell = at;
                for axis in 0..3 {
                    cell[axis] = match params.grid.period[axis] > 0.0 {
                        true => at[axis].rem_euclid(size[axis]),
                        false => at[axis].clamp(0, size[axis] - 1),
                    };
                }
                let c = cell.x + size.x * (cell.y + size.y * cell.z);
                found.push((c as usize, at.as_dvec3() - s));
            }
        }
    }
    found
}

/// Product over the axes of a kernel.
fn product(params: &Params, offset: DVec3, kernel: fn(f64) -> f64) -> f64 {
    (0..axes(params)).map(|axis| kernel(offset[axis])).product()
}

/// The interpolated value at a place.
pub(crate) fn value(
    world: &World,
    first: DVec3,
    x: DVec3,
    linear: bool,
    of: impl Fn(usize) -> f64 + Copy,
) -> f64 {
    let params = &world.params;
    if linear {
        let hat = |s: f64| (1.0 - s.abs()).max(0.0);
        let weight = |(c, offset): (usize, DVec3)| (c, product(params, offset, hat));
        let all = around(params, first, x).into_iter().map(weight);
        return all.filter(|(_, weight)| *weight > 0.0).map(|(c, weight)| weight * of(c)).sum();
    }
    let (low, high) = ends(params, first, x, of);
    spline(params, first, x, of).clamp(low, high)
}

/// The value by splines at a place, which may be beyond those around it.
pub(crate) fn spline(params: &Params, first: DVec3, x: DVec3, of: impl Fn(usize) -> f64) -> f64 {
    let all = around(params, first, x).into_iter();
    all.map(|(c, offset)| product(params, offset, cubic) * of(c)).sum()
}

/// The field of the faces at a place.
pub(crate) fn field_at(world: &World, x: DVec3) -> DVec3 {
    let mut u = DVec3::ZERO;
    for axis in 0..axes(&world.params) {
        let first = middle(&world.params, 0, axis);
        u[axis] = value(world, first, x, true, |c| element::<4>(world, "face", c)[axis]);
    }
    u
}

/// Time in s that a part of a step lasts.
pub(crate) fn part_time(world: &World) -> f64 {
    f64::from(world.control.dt) * world.number("stable_fluids.share")
}

/// Where what is at x comes from.
fn traced(world: &World, solids: &[Posed], x: DVec3) -> DVec3 {
    let start = path(world, x, -part_time(world), field_at);
    match nearest(world, solids, start) {
        Some((contact, ..)) if contact.distance < 0.0 => start - contact.distance * contact.normal,
        _ => start,
    }
}

/// Where the smoke at x comes from: not from deeper in a solid than the middle of a cell that has air.
fn traced_air(world: &World, solids: &[Posed], x: DVec3) -> DVec3 {
    let distance = |x: DVec3| nearest(world, solids, x).map_or(0.0, |(wall, ..)| wall.distance);
    let start = path(world, x, -part_time(world), field_at);
    let out = traced(world, solids, x);
    let way = out - start;
    let own = -distance(x).min(0.0);
    match way.length() {
        _ if own >= 0.87 * edge(&world.params) => out,
        depth if depth <= own => start,
        depth => start + way * (1.0 - own / depth),
    }
}

/// Whether a place is within the domain and a cell or more from all solids.
fn is_free(world: &World, solids: &[Posed], x: DVec3) -> bool {
    let grid = &world.params.grid;
    let place = (x - grid.origin.as_dvec3()) * grid.inverse_cell.as_dvec3();
    let within = |axis: usize| {
        grid.period[axis] > 0.0
            || (1.0..f64::from(grid.size[axis]) - 1.0).contains(&place[axis].floor())
    };
    let clear = nearest(world, solids, x)
        .is_none_or(|(contact, ..)| contact.distance > edge(&world.params));
    (0..axes(&world.params)).all(within) && clear
}

/// The least and largest of the values at the corners around a place.
fn ends(params: &Params, first: DVec3, x: DVec3, of: impl Fn(usize) -> f64) -> (f64, f64) {
    let s = (x - first) * params.grid.inverse_cell.as_dvec3();
    let corner = |offset: &DVec3| {
        let place = (s + *offset - s.floor()).round();
        (0..axes(params)).all(|axis| (0.0..=1.0).contains(&place[axis]))
    };
    around(params, first, x)
        .into_iter()
        .filter(|(_, offset)| corner(offset))
        .map(|(c, _)| of(c))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

fn is_linear(world: &World) -> bool {
    world.number("stable_fluids.linear") == 1.0
}

/// Smoke and heat behind walls, for those beside them.
pub(crate) fn walls(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    let is_air = |world: &World, c: usize| element::<4>(world, "coefficient", c)[3] > 0.0;
    for c in (0..cells(world)).filter(|c| !is_air(world, *c)).collect::<Vec<_>>() {
        let mut beside = Vec::new();
        for (axis, step) in (0..axes(&params)).flat_map(|axis| [(axis, -1), (axis, 1)]) {
            let other = next(&params, c, axis, step);
            let face = if step == 1 { other } else { c };
            if !is_air(world, other) || is_open(world, face, axis) {
                continue;
            }
            let mut value: [f64; 4] = element(world, "smoke_other", other);
            let wall = nearest_solid(world, &solids, middle(&params, face, axis));
            let heat = wall.map(|(solid, _)| world.colliders[solid].heat.as_dvec4());
            if let Some(heat) = heat.filter(|heat| heat.x > 0.0) {
                value[1] = 2.0 * heat.y - value[1];
            }
            beside.push(DVec4::from(value));
        }
        if !beside.is_empty() {
            let mean = beside.iter().sum::<DVec4>() / beside.len() as f64;
            set(world, "smoke_other", c, mean.to_array());
        }
    }
}

/// Smoke and heat that follow the flow.
pub(crate) fn advect(world: &mut World) {
    let params = world.params;
    let (solids, linear) = (solids(world), is_linear(world));
    for c in 0..cells(world) {
        if !is_inner(&params, c) {
            set(world, "smoke", c, [0.0; 4]);
            continue;
        }
        let x = traced_air(world, &solids, center(&params, coordinates(&params, c)));
        let first = center(&params, I64Vec3::ZERO);
        let of = |lane: usize| {
            value(world, first, x, linear, |c| element::<4>(world, "smoke_other", c)[lane])
        };
        set(world, "smoke", c, [0, 1, 2, 3].map(of));
    }
}

/// Weight at a place of the velocities along an axis within the domain against those of air at rest beyond its open sides.
fn weight_within(world: &World, x: DVec3, axis: usize) -> f64 {
    let (params, grid) = (&world.params, &world.params.grid);
    let place = (x - grid.origin.as_dvec3()) * grid.inverse_cell.as_dvec3();
    let size = grid.size.as_i64vec3();
    let bounded = |k: usize| k < axes(params) && grid.period[k] == 0.0;
    let mut cell = place.floor().as_i64vec3();
    for k in 0..3 {
        cell[k] = match bounded(k) {
            true => cell[k].clamp(1, size[k] - 2),
            false => cell[k].rem_euclid(size[k]),
        };
    }
    let c = (cell.x + size.x * (cell.y + size.y * cell.z)) as usize;
    let share = |k: usize| {
        let [below, above] = [place[k] - 1.0, (size[k] - 1) as f64 - place[k]];
        let side = if above < below { next(params, c, k, 1) } else { c };
        let reach = if k == axis { 1.0 } else { 0.5 };
        if is_open(world, side, k) { (below.min(above) + reach).clamp(0.0, 1.0) } else { 1.0 }
    };
    (0..axes(params)).filter(|k| bounded(*k)).map(share).product()
}

/// The velocity that follows itself; air from beyond the domain has none.
pub(crate) fn advect_velocity(world: &mut World) {
    let params = world.params;
    let (solids, linear) = (solids(world), is_linear(world));
    for c in 0..cells(world) {
        let mut u = [0.0; 4];
        for (axis, u) in u.iter_mut().enumerate().take(axes(&params)) {
            let x = traced(world, &solids, middle(&params, c, axis));
            let first = middle(&params, 0, axis);
            *u = value(world, first, x, linear, |c| element::<4>(world, "face_kept", c)[axis])
                * weight_within(world, x, axis);
        }
        set(world, "face_other", c, u);
    }
}

/// Where what is at x goes to and comes from, if a value there is corrected.
fn ways(world: &World, solids: &[Posed], x: DVec3) -> Option<[DVec3; 2]> {
    if part_time(world) == 0.0 || !is_free(world, solids, x) {
        return None;
    }
    let onwards = path(world, x, part_time(world), field_at);
    is_free(world, solids, onwards).then(|| [onwards, traced(world, solids, x)])
}

/// The correction after Mac Cormack of a value, carried back and on by interpolation on the lattice whose first value is at
/// `first`.
fn corrected(
    world: &World,
    [onwards, back]: [DVec3; 2],
    first: DVec3,
    own: f64,
    [before, carried]: [&dyn Fn(usize) -> f64; 2],
    c: usize,
) -> f64 {
    let again = value(world, first, onwards, is_linear(world), carried);
    let (low, high) = ends(&world.params, first, back, before);
    (own + (before(c) - again) / 2.0).clamp(low, high)
}

/// Smoke and heat after the correction.
pub(crate) fn correct(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    for c in 0..cells(world) {
        let mut s: [f64; 4] = element(world, "smoke_carried", c);
        let [x, first] = [coordinates(&params, c), I64Vec3::ZERO].map(|cell| center(&params, cell));
        let ways = if is_inner(&params, c) { ways(world, &solids, x) } else { None };
        for (lane, value) in s.iter_mut().enumerate() {
            let before = |c: usize| element::<4>(world, "smoke_other", c)[lane];
            let carried = |c: usize| element::<4>(world, "smoke_carried", c)[lane];
            if let Some(ways) = ways {
                *value = corrected(world, ways, first, *value, [&before, &carried], c);
            }
        }
        set(world, "smoke", c, s);
    }
}

/// Velocities after the correction.
pub(crate) fn correct_velocity(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    for c in 0..cells(world) {
        let mut u: [f64; 4] = element(world, "face_carried", c);
        for (axis, value) in u.iter_mut().enumerate().take(axes(&params)) {
            let [x, first] = [c, 0].map(|c| middle(&params, c, axis));
            let before = |c: usize| element::<4>(world, "face_kept", c)[axis];
            let carried = |c: usize| element::<4>(world, "face_carried", c)[axis];
            if let Some(ways) = ways(world, &solids, x)
                && weight_within(world, ways[1], axis) == 1.0
            {
                *value = corrected(world, ways, first, *value, [&before, &carried], c);
            }
        }
        set(world, "face_other", c, u);
    }
}

/// The field on the other side of the projection.
pub(crate) fn reflect(world: &mut World) {
    let params = world.params;
    for c in 0..cells(world) {
        let mut u: [f64; 4] = element(world, "face", c);
        let before: [f64; 4] = element(world, "face_kept", c);
        u[3] = 0.0;
        for axis in 0..axes(&params) {
            let sides = [c, next(&params, c, axis, -1)];
            let known = sides.iter().any(|c| element::<4>(world, "coefficient", *c)[3] > 0.0);
            if known && is_open(world, c, axis) {
                u[axis] += u[axis] - before[axis];
            }
        }
        set(world, "face_kept", c, u);
    }
}

/// Lightness ρ0/ρ of the air at the face between two cells, by the mean of their densities.
fn lightness(world: &World, a: usize, b: usize) -> f64 {
    if world.number("stable_fluids.variable") == 0.0 {
        return 1.0;
    }
    let beta = world.number("stable_fluids.buoyancy");
    let density = |c: usize| {
        let [_, temperature, ..] = element::<4>(world, "smoke_other", c);
        1.0 / (1.0 + beta * temperature).max(0.1)
    };
    2.0 / (density(a) + density(b))
}

/// Velocities by which pressure accelerates light air more and dense air less.
pub(crate) fn lighten(world: &mut World) {
    let params = world.params;
    for c in 0..cells(world) {
        let mut u: [f64; 4] = element(world, "face", c);
        for axis in (0..axes(&params)).filter(|axis| is_open(world, c, *axis)) {
            let below = next(&params, c, axis, -1);
            if let Some(rise) = rise(world, c, below, 1.0) {
                u[axis] -= (lightness(world, c, below) - 1.0) * rise / edge(&params);
            }
        }
        set(world, "face", c, u);
    }
}

/// Coefficients of the equation of pressure in air.
pub(crate) fn system(world: &mut World) {
    let params = world.params;
    for c in 0..cells(world) {
        let mut a = [0.0; 4];
        for axis in 0..axes(&params) {
            let (below, above) = (next(&params, c, axis, -1), next(&params, c, axis, 1));
            for (face, other, own) in [(c, below, true), (above, above, false)] {
                if !is_inner(&params, c) {
                    continue;
                }
                // P = 0 on the side of the domain.
                let open = open_share(world, face, axis) * lightness(world, c, other);
                let inner = is_inner(&params, other);
                a[3] += if inner { open } else { open / 0.5 };
                if inner && own {
                    a[axis] = open;
                }
            }
        }
        set(world, "coefficient", c, a);
        set(world, "cover", c, [1.0]);
    }
}

/// The fastest velocity, failures, and the cells of air.
pub(crate) fn limits(world: &mut World) {
    let mut fastest = f64::from(f32::from_bits(world.control.max_signal_bits));
    fastest = fastest.max(world.number("stable_fluids.spread"));
    for c in 0..cells(world) {
        let u: [f64; 4] = element(world, "face", c);
        let s: [f64; 4] = element(world, "smoke", c);
        if u.iter().chain(&s).any(|x| !x.is_finite()) {
            world.control.pending_failure |= FAILURE_NOT_FINITE;
            world.control.failure_id = world.control.failure_id.min(c as u32);
        }
        fastest = fastest.max(DVec3::new(u[0], u[1], u[2]).length());
        let is_air = element::<4>(world, "coefficient", c)[3] > 0.0;
        set(world, "face", c, [u[0], u[1], u[2], f64::from(u8::from(is_air))]);
    }
    world.control.max_signal_bits = (fastest as f32).to_bits();
}

/// The diagnostics of a cell of air.
pub(crate) fn cell(world: &World, c: usize) -> Option<Rows> {
    let params = &world.params;
    if element::<4>(world, "coefficient", c)[3] == 0.0 {
        return None;
    }
    let (mut mean, mut squares, mut divergence) = (DVec3::ZERO, 0.0, 0.0);
    for axis in 0..axes(params) {
        let [low, high] = [c, next(params, c, axis, 1)].map(|c| through(world, c, axis));
        mean[axis] = (low + high) / 2.0;
        squares += (low * low + high * high) / 2.0;
        divergence += (high - low) / edge(params);
    }
    let mass = AIR * volume(params);
    let [s, ..]: [f64; 4] = element(world, "smoke", c);
    let mut rows = NOTHING;
    rows[0] = (mass * mean).extend(0.0);
    rows[1].w = mass * squares / 2.0;
    rows[4].w = mean.length();
    let error = 100.0 * f64::from(world.control.dt) * f64::abs(divergence);
    rows[5] = DVec4::new(0.0, 0.0, volume(params) * s, error);
    Some(rows)
}
