//! Fields on the faces of cells (`wgsl/grid/`) of liquids and smoke, with sums over all cells.

use glam::DVec3;
use meniscus_model::Params;
use meniscus_model::params::{RESPONSE_SLIP, RESPONSE_STICKY};

use crate::World;
use crate::body::{Posed, posed};
use crate::grid::{busy_cells, center, coordinates, edge};
use crate::integrate::by_fields;
use crate::poisson::{diagonal, part};
use crate::solid::{Contact, contact, distinct_walls, wall_velocity};
use crate::space::{displacement, xyz};

/// Distance in cells up to which a wall lies on a corner.
const ON_CORNER: f64 = 1e-3;
/// Least open share of a face.
const LEAST_OPEN: f64 = 0.02;
/// Least volume of a face that has a velocity, relative to that of a cell.
pub(crate) const LEAST_VOLUME: f64 = 1e-6;
/// Least free share of a cell's hat.
const LEAST_SHARE: f64 = 0.02;
/// Distance in cells of a wall from a cell's centre within which it may reach into its hat.
const NEAR: f64 = 1.37;

/// Floats of an element of a method's array with this width.
pub(crate) fn element<const N: usize>(world: &World, name: &str, c: usize) -> [f64; N] {
    let all = world.floats(name);
    std::array::from_fn(|k| all[N * c + k])
}

pub(crate) fn set<const N: usize>(world: &mut World, name: &str, c: usize, value: [f64; N]) {
    world.floats_mut(name)[N * c..N * (c + 1)].copy_from_slice(&value);
}

pub(crate) fn axes(params: &Params) -> usize {
    params.world.dimensions as usize
}

pub(crate) fn cells(world: &World) -> usize {
    world.params.grid.cell_count as usize
}

/// Number of a cell `step` cells along an axis from another, around the ends of the box.
pub(crate) fn next(params: &Params, c: usize, axis: usize, step: i64) -> usize {
    let size = params.grid.size.as_i64vec3();
    let mut cell = coordinates(params, c);
    cell[axis] = (cell[axis] + step).rem_euclid(size[axis]);
    (cell.x + size.x * (cell.y + size.y * cell.z)) as usize
}

/// Middle of a cell's lower face in m.
pub(crate) fn middle(params: &Params, c: usize, axis: usize) -> DVec3 {
    center(params, coordinates(params, c)) - 0.5 * edge(params) * DVec3::AXES[axis]
}

/// Hat max(0, 1 − |s|) of an offset in m, s in cells, as a product over the axes; differentiated by the particle's place in
/// cells along the axes whose bits are set.
pub(crate) fn hat_along(params: &Params, offset: DVec3, set: usize) -> f64 {
    let reach = edge(params);
    if (0..axes(params)).any(|axis| offset[axis].abs() > reach) {
        return 0.0;
    }
    let along = |axis: usize| {
        let s = offset[axis] / reach;
        match set >> axis & 1 {
            0 => (1.0 - s.abs()).max(0.0),
            _ if s > -1.0 && s <= 0.0 => -1.0,
            _ if s > 0.0 && s <= 1.0 => 1.0,
            _ => 0.0,
        }
    };
    (0..axes(params)).map(along).product()
}

/// The hat of an offset in m.
pub(crate) fn hat(params: &Params, offset: DVec3) -> f64 {
    hat_along(params, offset, 0)
}

/// The nearest wall of a point: contact, velocity and response.
pub(crate) fn nearest(world: &World, solids: &[Posed], x: DVec3) -> Option<(Contact, DVec3, u32)> {
    nearest_solid(world, solids, x).map(|(_, wall)| wall)
}

/// The solid that the nearest wall of a point belongs to, and that wall.
pub(crate) fn nearest_solid(
    world: &World,
    solids: &[Posed],
    x: DVec3,
) -> Option<(usize, (Contact, DVec3, u32))> {
    let mut found: Option<(usize, (Contact, DVec3, u32))> = None;
    for (number, solid) in solids.iter().enumerate() {
        for wall in 0..distinct_walls(&solid.collider) {
            let contact = contact(world, solid, wall, x);
            if found.as_ref().is_some_and(|(_, (other, ..))| other.distance <= contact.distance) {
                continue;
            }
            let arm = displacement(&world.params, x, solid.position);
            let velocity = wall_velocity(world, solid, x, arm);
            found = Some((number, (contact, velocity, solid.collider.response)));
        }
    }
    found
}

pub(crate) fn solids(world: &World) -> Vec<Posed> {
    (0..world.params.counts.colliders as usize).map(|number| posed(world, number)).collect()
}

/// Distances of corners, and free shares.
pub(crate) fn solid(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    let in_cells = |world: &World, x: DVec3, limit: f64| {
        let wall = nearest(world, &solids, x);
        wall.map_or(limit, |(contact, ..)| contact.distance / edge(&params)).clamp(-limit, limit)
    };
    for c in 0..cells(world) {
        let x = center(&params, coordinates(&params, c));
        let half = (0..axes(&params)).map(|axis| DVec3::AXES[axis]).sum::<DVec3>() / 2.0;
        let corner = in_cells(world, x - edge(&params) * half, 2.0);
        set(world, "solid_distance", c, [corner]);
        let free = if in_cells(world, x, 2.0) > 0.0 { 1.0 } else { 0.0 };
        let near = in_cells(world, x, 2.0).abs() < NEAR;
        let free = if near { free_hat(world, &solids, x) } else { free };
        set(world, "solid_share", c, [free.max(LEAST_SHARE)]);
    }
}

/// Share of the hat around a place that solids leave free, by hats of half its width.
fn free_hat(world: &World, solids: &[Posed], x: DVec3) -> f64 {
    let (axes, edge) = (axes(&world.params), edge(&world.params));
    let free_of_wall = |solid: &Posed, wall: usize, x: DVec3| match contact(world, solid, wall, x) {
        Contact { distance, .. } if distance >= edge / 2.0 => 1.0,
        Contact { distance, .. } if distance <= -edge / 2.0 => 0.0,
        Contact { distance, .. } if distance >= 0.0 => {
            1.0 - (1.0 - 2.0 * distance / edge).powi(2) / 2.0
        }
        Contact { distance, .. } => (1.0 + 2.0 * distance / edge).powi(2) / 2.0,
    };
    let free_at = |x: DVec3| {
        let of = |solid: &Posed| -> f64 {
            (0..distinct_walls(&solid.collider)).map(|wall| free_of_wall(solid, wall, x)).product()
        };
        solids.iter().map(of).fold(1.0, f64::min)
    };
    // Places and weights along an axis after another.
    let mut parts = vec![(x, 1.0)];
    for axis in 0..axes {
        let beside = [(-0.5, 0.25), (0.0, 0.5), (0.5, 0.25)];
        let of = |(x, weight): (DVec3, f64)| {
            beside.map(|(way, part)| (x + way * edge * DVec3::AXES[axis], weight * part))
        };
        parts = parts.into_iter().flat_map(of).collect();
    }
    parts.into_iter().map(|(x, weight)| weight * free_at(x)).sum()
}

/// Area of the part of a polygon where the third coordinate, linear between its corners, is positive.
fn positive_area(corners: &[DVec3]) -> f64 {
    let mut part = Vec::new();
    for (k, a) in corners.iter().enumerate() {
        let b = corners[(k + 1) % corners.len()];
        if a.z > 0.0 {
            part.push(*a);
        }
        if (a.z > 0.0) != (b.z > 0.0) {
            part.push(*a + (b - *a) * (a.z / (a.z - b.z)));
        }
    }
    let cross = |k: usize| {
        let (a, b): (DVec3, DVec3) = (part[k], part[(k + 1) % part.len()]);
        a.x * b.y - a.y * b.x
    };
    (0..part.len()).map(cross).sum::<f64>().abs() / 2.0
}

/// Open share of a cell's lower face.
fn open_part(world: &World, c: usize, axis: usize) -> f64 {
    let params = &world.params;
    let at = |c: usize| match element::<1>(world, "solid_distance", c)[0] {
        d if d >= ON_CORNER => d,
        d => d.min(0.0),
    };
    if axes(params) == 2 {
        return match [at(c), at(next(params, c, 1 - axis, 1))] {
            [a, b] if a > 0.0 && b > 0.0 => 1.0,
            [a, b] if a <= 0.0 && b <= 0.0 => 0.0,
            [a, b] => a.max(b) / (a - b).abs(),
        };
    }
    let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
    let (along, across) = (next(params, c, a, 1), next(params, c, b, 1));
    let around = [
        DVec3::new(0.0, 0.0, at(c)),
        DVec3::new(1.0, 0.0, at(along)),
        DVec3::new(1.0, 1.0, at(next(params, along, b, 1))),
        DVec3::new(0.0, 1.0, at(across)),
    ];
    let middle = around.iter().sum::<DVec3>() / 4.0;
    (0..4).map(|k| positive_area(&[around[k], around[(k + 1) % 4], middle])).sum()
}

/// Share of a cube with an edge of 1 that a plane at a distance from its middle leaves free.
pub(crate) fn free_part(normal: DVec3, distance: f64) -> f64 {
    let mut n = normal.abs().to_array();
    n.sort_by(f64::total_cmp);
    let [least, middle, most] = n;
    let gauss = 1.0 / 12f64.sqrt();
    let length = |a: f64, b: f64| {
        (0.5 + (distance + gauss * (a * middle + b * least)) / most).clamp(0.0, 1.0)
    };
    (length(1.0, 1.0) + length(1.0, -1.0) + length(-1.0, 1.0) + length(-1.0, -1.0)) / 4.0
}

/// Open share of a cell's lower face beside a body, if the nearest wall is one's.
fn beside_body(world: &World, solids: &[Posed], c: usize, axis: usize) -> Option<f64> {
    let x = middle(&world.params, c, axis);
    let (number, _) = nearest_solid(world, solids, x)?;
    let is_body = solids[number].collider.is_body == 1;
    let (axes, half) = (axes(&world.params), edge(&world.params) / 2.0);
    let of_part = |k: usize| {
        let side = (0..axes).map(|way| ((k >> way & 1) as f64 - 0.5) * DVec3::AXES[way]);
        let contact = contact(world, &solids[number], 0, x + half * side.sum::<DVec3>());
        free_part(contact.normal, contact.distance / half)
    };
    is_body.then(|| (0..1 << axes).map(of_part).sum::<f64>() / f64::from(1 << axes))
}

/// Open shares of faces, and velocities of the solids there.
pub(crate) fn fractions(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    for c in 0..cells(world) {
        let mut face = [0.0; 8];
        for axis in 0..axes(&params) {
            let open = beside_body(world, &solids, c, axis);
            let open = open.unwrap_or_else(|| open_part(world, c, axis));
            face[4 + axis] = if open < LEAST_OPEN { 0.0 } else { open };
            if open == 1.0 {
                continue;
            }
            if let Some((_, v, response)) = nearest(world, &solids, middle(&params, c, axis)) {
                face[axis] = v[axis];
                if response == RESPONSE_STICKY && face[4 + axis] == 0.0 {
                    face[3] += f64::from(1 << axis);
                }
            }
        }
        set(world, "solid_face", c, face);
    }
}

/// Open share of a cell's lower face, of which no open boundary gives the velocity.
pub(crate) fn open_share(world: &World, c: usize, axis: usize) -> f64 {
    let is_given = given(world, c, axis).is_some();
    if is_given { 0.0 } else { element::<8>(world, "solid_face", c)[4 + axis] }
}

/// Velocity that an open boundary gives a cell's lower face, if one does; none where it is dry.
fn given(world: &World, c: usize, axis: usize) -> Option<Option<f64>> {
    let face = element::<8>(world, "solid_face", c);
    let bits = face[3] as u32 >> axis;
    (bits & 8 != 0).then(|| (bits & 64 != 0).then_some(face[7]))
}

pub(crate) fn is_open(world: &World, c: usize, axis: usize) -> bool {
    open_share(world, c, axis) > 0.0
}

/// Velocity of the solid at a cell's lower face.
pub(crate) fn solid_velocity(world: &World, c: usize, axis: usize) -> f64 {
    element::<8>(world, "solid_face", c)[axis]
}

/// Whether a cell's lower face is closed and fluid sticks to it.
pub(crate) fn sticks(world: &World, c: usize, axis: usize) -> bool {
    element::<8>(world, "solid_face", c)[3] as u32 >> axis & 1 == 1
}

/// Mean velocity through a cell's lower face.
pub(crate) fn through(world: &World, c: usize, axis: usize) -> f64 {
    let open = open_share(world, c, axis);
    let u = element::<4>(world, "face", c)[axis];
    open * u + (1.0 - open) * solid_velocity(world, c, axis)
}

/// Gravity and force fields.
pub(crate) fn force(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for c in busy_cells(world) {
        let mut u: [f64; 4] = element(world, "face", c);
        for (axis, u) in u.iter_mut().enumerate().take(axes(&params)) {
            let own = DVec3::AXES[axis] * *u;
            let field = by_fields(world, middle(&params, c, axis), own);
            *u += dt * (f64::from(params.world.gravity[axis]) + field[axis]);
        }
        set(world, "face", c, u);
    }
}

/// Rise of the solution from a cell to the next, if one of them has liquid; to so many times the solution in air.
pub(crate) fn rise(world: &World, c: usize, below: usize, beside: f64) -> Option<f64> {
    let pressure = |c: usize| element::<2>(world, "solution", c)[0];
    match [c, below].map(|c| diagonal(world, c) > 0.0) {
        [false, false] => None,
        [true, true] => Some(pressure(c) - pressure(below)),
        [true, false] => Some((pressure(c) - beside * pressure(below)) / part(world, c, below)),
        [false, true] => Some((beside * pressure(c) - pressure(below)) / part(world, below, c)),
    }
}

/// Rise of the solution that a stage takes: of this step, or, at level 1, of the last one, which goes on straight at the surface.
pub(crate) fn rise_of_stage(world: &World, c: usize, axis: usize) -> Option<f64> {
    let params = &world.params;
    let below = next(params, c, axis, -1);
    let now = rise(world, c, below, 1.0)?;
    if world.stage.level == 0 {
        return Some(now);
    }
    let is_wet = |c: usize| diagonal(world, c) > 0.0;
    let upper = match [is_wet(c), is_wet(below)] {
        [true, true] => c,
        [true, false] => next(params, c, axis, 1),
        _ => below,
    };
    let pressures =
        [upper, next(params, upper, axis, -1)].map(|c| element::<2>(world, "solution", c)[0]);
    let is_known = pressures.into_iter().all(|p| p != 0.0) && is_open(world, upper, axis);
    Some(if is_known { pressures[0] - pressures[1] } else { 0.0 })
}

/// The field less the gradient of pressure.
pub(crate) fn project(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        let mut u: [f64; 4] = element(world, "face", c);
        u[3] = 0.0;
        for axis in 0..axes(&params) {
            let Some(rise) = rise_of_stage(world, c, axis) else { continue };
            match is_open(world, c, axis) {
                false if given(world, c, axis).is_some() => match given(world, c, axis).flatten() {
                    Some(own) => u[axis] = own,
                    None => continue,
                },
                true => u[axis] -= rise / edge(&params),
                false => u[axis] = solid_velocity(world, c, axis),
            }
            u[3] += f64::from(1 << axis);
        }
        set(world, "face_other", c, u);
    }
}

/// Cells around one, over the ends of periodic axes.
fn around(params: &Params, c: usize) -> Vec<usize> {
    let size = params.grid.size.as_i64vec3();
    let ways = (0..axes(params)).flat_map(|way| [(way, -1), (way, 1)]);
    let exists = |(way, step): &(usize, i64)| {
        let place = coordinates(params, c)[*way] + step;
        params.grid.period[*way] > 0.0 || (0..size[*way]).contains(&place)
    };
    ways.filter(exists).map(|(way, step)| next(params, c, way, step)).collect()
}

/// Whether a face of an array of faces is known.
fn is_known(world: &World, array: &str, c: usize, axis: usize) -> bool {
    element::<4>(world, array, c)[3] as u32 >> axis & 1 == 1
}

/// Faces one layer beyond the projected ones, changed as those around them were (`wgsl/liquid/beyond`).
pub(crate) fn beyond(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        let mut u: [f64; 4] = element(world, "face_projected", c);
        for axis in 0..axes(&params) {
            let counts =
                |c: usize| is_known(world, "face_projected", c, axis) && is_open(world, c, axis);
            if is_known(world, "face_projected", c, axis) || !is_open(world, c, axis) {
                continue;
            }
            let change = |c: usize| {
                let [after, before] =
                    ["face_projected", "face"].map(|array| element::<4>(world, array, c)[axis]);
                after - before
            };
            let changes: Vec<_> =
                around(&params, c).into_iter().filter(|c| counts(*c)).map(change).collect();
            let own = element::<4>(world, "face", c)[3] as u32 >> (3 + axis) & 1 == 1;
            if own || !changes.is_empty() {
                let mean = changes.iter().sum::<f64>() / changes.len().max(1) as f64;
                u[axis] = element::<4>(world, "face", c)[axis] + mean;
                u[3] += f64::from(1 << axis);
            }
        }
        set(world, "face_other", c, u);
    }
}

/// A layer of faces beyond the known ones.
pub(crate) fn extrapolate(world: &mut World) {
    extrapolate_as(world, "face", "face", "face_other");
}

/// A layer of both fields (`wgsl/flip/extrapolate`).
pub(crate) fn extrapolate_both(world: &mut World) {
    for [from, to] in [["face", "face_other"], ["face_before", "face_gathered"]] {
        extrapolate_as(world, "face", from, to);
    }
}

/// A layer of a field, beyond the known faces of another one.
fn extrapolate_as(world: &mut World, known: &str, from: &str, to: &str) {
    let params = world.params;
    for c in busy_cells(world) {
        let mut u: [f64; 4] = element(world, from, c);
        u[3] = element::<4>(world, known, c)[3];
        let known = |c: usize, axis: usize| is_known(world, known, c, axis);
        let around = around(&params, c);
        for axis in (0..axes(&params)).filter(|axis| !known(c, *axis)) {
            let values: Vec<_> = around.iter().filter(|c| known(**c, axis)).collect();
            let of = |c: &&usize| element::<4>(world, from, **c)[axis];
            if !values.is_empty() {
                u[axis] = values.iter().map(of).sum::<f64>() / values.len() as f64;
                u[3] += f64::from(1 << axis);
            }
        }
        set(world, to, c, u);
    }
}

/// Closed faces after contact with their walls.
pub(crate) fn constrain(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    for c in busy_cells(world) {
        let before = |c: usize, axis: usize| element::<4>(world, "face_other", c)[axis];
        let mut u: [f64; 4] = element(world, "face_other", c);
        for axis in (0..axes(&params)).filter(|axis| !is_open(world, c, *axis)) {
            if let Some(own) = given(world, c, axis) {
                u[axis] = own.unwrap_or(u[axis]);
                continue;
            }
            let wall = nearest(world, &solids, middle(&params, c, axis));
            let (contact, own, response) = wall.expect("a closed face has a wall");
            let mut v = DVec3::ZERO;
            for other in 0..axes(&params) {
                let back = next(&params, c, axis, -1);
                let up = |c: usize| next(&params, c, other, 1);
                v[other] = match other == axis {
                    true => before(c, axis),
                    false => {
                        [c, up(c), back, up(back)].map(|c| before(c, other)).iter().sum::<f64>()
                            / 4.0
                    }
                };
            }
            let normal = (v - own).dot(contact.normal);
            u[axis] = match response {
                RESPONSE_STICKY => own[axis],
                RESPONSE_SLIP => u[axis] - normal * contact.normal[axis],
                _ => u[axis] - normal.min(0.0) * contact.normal[axis],
            };
        }
        set(world, "face", c, u);
    }
}

/// The fastest velocity, and gravity's share.
pub(crate) fn limits(world: &mut World) {
    let of = |c: usize| xyz(element(world, "face", c)).length();
    let speed = busy_cells(world).into_iter().map(of).fold(0.0, f64::max) as f32;
    let share = world.params.time.cfl * world.params.world.gravity.length() / 16.0;
    let control = &mut world.control;
    control.max_signal_bits = control.max_signal_bits.max(speed.to_bits());
    control.max_acceleration_bits = control.max_acceleration_bits.max(share.to_bits());
}

/// The field at a point; beyond the box that on its end.
pub(crate) fn field_at(world: &World, x: DVec3) -> DVec3 {
    field_of(world, "face", x, 0)
}

/// A field of faces at a point, differentiated in cells along the axes whose bits are set.
pub(crate) fn field_of(world: &World, name: &str, x: DVec3, set: usize) -> DVec3 {
    let params = &world.params;
    let mut v = DVec3::ZERO;
    for axis in 0..axes(params) {
        let mut x = x;
        for way in (0..axes(params)).filter(|way| params.grid.period[*way] == 0.0) {
            let (first, last) = (middle(params, 0, axis), middle(params, cells(world) - 1, axis));
            x[way] = x[way].clamp(first[way], last[way]);
        }
        for c in 0..cells(world) {
            let w = hat_along(params, displacement(params, middle(params, c, axis), x), set);
            v[axis] += w * element::<4>(world, name, c)[axis];
        }
    }
    v
}
/// Place of what is at x after a time, along a field.
pub(crate) fn path(
    world: &World,
    x: DVec3,
    dt: f64,
    field: impl Fn(&World, DVec3) -> DVec3,
) -> DVec3 {
    let a = field(world, x);
    let mean = match world.params.time.trace {
        1 => a,
        2 => field(world, x + dt / 2.0 * a),
        _ => {
            let b = field(world, x + dt / 2.0 * a);
            let c = field(world, x + 0.75 * dt * b);
            2.0 / 9.0 * a + 1.0 / 3.0 * b + 4.0 / 9.0 * c
        }
    };
    x + dt * mean
}
