//! Diffusion on cells and faces (`wgsl/diffusion/`), by the values around each.

use glam::{DVec3, DVec4};

use crate::World;
use crate::body::Posed;
use crate::faces::{
    axes, cells, element, is_open, middle, nearest, nearest_solid, next, open_share, set,
    solid_velocity, solids, sticks,
};
use crate::grid::{busy_cells, center, coordinates, edge};
use crate::poisson::{by_group, next_scalars, of_groups, together};
use crate::repeat::end_iteration;
use crate::smoke::{is_inner, part_time};

/// Weight of a wall's velocity half a cell away: the ghost 2 `v_s` − u less u is twice their difference.
const HALF_AWAY: f64 = 2.0;
/// Least scale of a value, relative to the largest.
const LEAST: f64 = 0.01;

type Values = [f64; 4];

fn each(of: impl FnMut(usize) -> f64) -> Values {
    std::array::from_fn(of)
}

/// The cell one further on a way: down and up along x, y, z.
fn on(world: &World, c: usize, way: usize) -> usize {
    next(&world.params, c, way / 2, if way % 2 == 1 { 1 } else { -1 })
}

fn ways(world: &World) -> std::ops::Range<usize> {
    0..2 * axes(&world.params)
}

/// Sets c = κ Δt/Δx² of the four values.
fn set_rates(world: &mut World, kappa: Values) {
    let factor = part_time(world) / edge(&world.params).powi(2);
    world.floats_mut("diffusion_scalars")[4..8].copy_from_slice(&kappa.map(|k| k * factor));
}

fn rates(world: &World) -> Values {
    each(|lane| world.floats("diffusion_scalars")[4 + lane])
}

/// Sets the shares of a cell's lower faces and its volume; the sums of three values, and the bits of their links.
fn set_links(world: &mut World, c: usize, shares: Values, sums: [f64; 3], links: u32) {
    let [x, y, z] = sums;
    let [a, b, d, volume] = shares;
    set(world, "diffusion_links", c, [a, b, d, volume, x, y, z, f64::from(links)]);
}

/// Links of velocities at faces.
pub(crate) fn faces(world: &mut World) {
    let viscosity = world.number("stable_fluids.viscosity");
    set_rates(world, [viscosity, viscosity, viscosity, 0.0]);
    let is_free = |world: &World, c: usize, axis: usize| {
        let sides = [c, next(&world.params, c, axis, -1)];
        is_open(world, c, axis) && sides.iter().any(|side| is_inner(&world.params, *side))
    };
    for c in 0..cells(world) {
        let (mut links, mut sums, mut push) = (0, [0.0; 3], [0.0; 4]);
        for axis in (0..axes(&world.params)).filter(|axis| is_free(world, c, *axis)) {
            for way in ways(world) {
                let other = on(world, c, way);
                let weight = match (is_open(world, other, axis), way / 2 == axis) {
                    (false, true) => 1.0,
                    (false, false) if sticks(world, other, axis) => HALF_AWAY,
                    _ => 0.0,
                };
                let linked = is_free(world, other, axis);
                links |= u32::from(linked) << (4 * way + axis);
                sums[axis] += weight + f64::from(u8::from(linked));
                push[axis] += weight * solid_velocity(world, other, axis);
            }
        }
        set_links(world, c, [1.0; 4], sums, links);
        set(world, "diffusion_r", c, push);
    }
}

/// Heat in J that warms a cubic metre of air by 1 K.
const HEAT_OF_AIR: f64 = 1210.0;

/// Shares of a cell's lower and upper face along an axis that solids leave open.
fn open_pair(world: &World, c: usize, axis: usize) -> [f64; 2] {
    [c, next(&world.params, c, axis, 1)]
        .map(|face| element::<8>(world, "solid_face", face)[4 + axis])
}

/// Volume of a cell's air, of a whole cell: the flux of x − `x_w` through its faces over the number of axes, with a point `x_w` of the
/// wall, through which there is none.
fn air(world: &World, solids: &[Posed], c: usize) -> f64 {
    let all = axes(&world.params);
    let pairs: Vec<_> = (0..all).map(|axis| open_pair(world, c, axis)).collect();
    if pairs.iter().flatten().all(|share| *share == 1.0) {
        return 1.0;
    }
    let x = center(&world.params, coordinates(&world.params, c));
    let Some((contact, ..)) = nearest(world, solids, x) else { return 1.0 };
    // Of the wall's point from the centre, in cells.
    let from = -contact.distance / edge(&world.params) * contact.normal;
    let through = |(axis, pair): (usize, &[f64; 2])| {
        pair[0] * (0.5 + from[axis]) + pair[1] * (0.5 - from[axis])
    };
    (pairs.iter().enumerate().map(through).sum::<f64>() / all as f64).clamp(0.02, 1.0)
}

/// Depth of a cell's air along an axis, of a cell.
fn depth(world: &World, solids: &[Posed], c: usize, axis: usize) -> f64 {
    let [below, above] = open_pair(world, c, axis);
    let (most, volume) = (below.max(above), air(world, solids, c));
    if most > 0.0 { (volume / most).min(1.0) } else { volume }
}

/// Distance of a cell's value from its lower and its upper face, of a cell.
fn reaches(world: &World, solids: &[Posed], c: usize, axis: usize) -> [f64; 2] {
    let half = depth(world, solids, c, axis) / 2.0;
    match open_pair(world, c, axis) {
        [below, above] if below == above => [half, half],
        [below, above] if below > above => [half, 1.0 - half],
        _ => [1.0 - half, half],
    }
}

/// Share of the link through a cell's lower face.
fn link_share(world: &World, solids: &[Posed], c: usize, axis: usize) -> f64 {
    if element::<4>(world, "coefficient", c)[axis] == 0.0 {
        return 0.0;
    }
    let [_, from_below] = reaches(world, solids, next(&world.params, c, axis, -1), axis);
    let [from_above, _] = reaches(world, solids, c, axis);
    open_share(world, c, axis) / (from_below + from_above).max(0.5)
}

/// A part of a cell's wall: axis, area, normal, and its heat.
struct Part {
    axis: usize,
    area: f64,
    normal: DVec3,
    heat: DVec4,
}

/// The walls' areas in a cell along the axes.
fn parts(world: &World, solids: &[Posed], c: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    for axis in 0..axes(&world.params) {
        let closed = open_pair(world, c, axis).map(|share| 1.0 - share);
        for (way, sign) in [(0, 1.0), (1, -1.0)] {
            let x = middle(&world.params, [c, next(&world.params, c, axis, 1)][way], axis);
            let Some((solid, (contact, ..))) = nearest_solid(world, solids, x) else { continue };
            let area = match closed == [1.0; 2] {
                true => sign * contact.normal[axis],
                false => closed[way] - closed[1 - way],
            };
            if area > 0.0 {
                let heat = world.colliders[solid].heat.as_dvec4();
                parts.push(Part { axis, area, normal: contact.normal, heat });
            }
        }
    }
    parts
}

/// Links of smoke and temperature, and what walls do to it (`wgsl/diffusion/cells`).
pub(crate) fn centres(world: &mut World) {
    let [smoke, heat] = ["diffusivity", "thermal_diffusivity"]
        .map(|name| world.number(&format!("stable_fluids.{name}")));
    set_rates(world, [smoke, heat, 0.0, 0.0]);
    let solids = solids(world);
    for c in 0..cells(world) {
        let through: Vec<_> = ways(world)
            .map(|way| {
                let face = if way % 2 == 1 { on(world, c, way) } else { c };
                link_share(world, &solids, face, way / 2)
            })
            .collect();
        let links = (0..through.len()).filter(|way| through[*way] > 0.0);
        let links = links.map(|way| 0b11 << (4 * way)).sum();
        let (mut weight, mut push) = (0.0, 0.0);
        if element::<4>(world, "coefficient", c)[3] > 0.0 && heat > 0.0 {
            let parts = parts(world, &solids, c);
            // Of two walls along an axis the upper one's normal stands for both.
            let last = |axis: usize| parts.iter().rfind(|part| part.axis == axis);
            let along = |axis: usize| {
                parts.iter().filter(|part| part.axis == axis).map(|part| part.area).sum::<f64>()
            };
            for part in &parts {
                let normal = last(part.axis).map_or(DVec3::ZERO, |part| part.normal);
                let agreeing = |axis: usize| {
                    let other = last(axis)?;
                    let agree = if axis == part.axis { 1.0 } else { other.normal.dot(normal) };
                    Some((agree * along(axis)).powi(2))
                };
                let length = (0..3).filter_map(agreeing).sum::<f64>().sqrt();
                let area = part.area * along(part.axis) / length;
                let [is_kept, kept, flux, _] = part.heat.to_array();
                let to_wall = HALF_AWAY / depth(world, &solids, c, part.axis);
                weight += area * to_wall * is_kept;
                push += area * (to_wall * kept + flux * edge(&world.params) / (HEAT_OF_AIR * heat));
            }
        }
        let lower = |axis: usize| through.get(2 * axis).copied().unwrap_or(0.0);
        let shares = [lower(0), lower(1), lower(2), air(world, &solids, c)];
        let sum: f64 = through.iter().sum();
        set_links(world, c, shares, [sum, sum + weight, 0.0], links);
        set(world, "diffusion_r", c, [0.0, push, 0.0, 0.0]);
    }
}

/// Neighbours that a value is linked to, each with its share, and the weight of walls.
fn around(world: &World, c: usize, lane: usize) -> (f64, Vec<(usize, f64)>) {
    let own: [f64; 8] = element(world, "diffusion_links", c);
    let share = |way: usize| {
        let face = if way % 2 == 1 { on(world, c, way) } else { c };
        element::<8>(world, "diffusion_links", face)[way / 2]
    };
    let linked = |way: &usize| own[7] as u32 >> (4 * way + lane) & 1 == 1;
    let found: Vec<_> =
        ways(world).filter(linked).map(|way| (on(world, c, way), share(way))).collect();
    let walls = sum_of(world, c, lane) - found.iter().map(|(_, share)| share).sum::<f64>();
    (if walls < 1e-5 * sum_of(world, c, lane) { 0.0 } else { walls }, found)
}

/// Sum of the shares and of the weights of walls of a value.
fn sum_of(world: &World, c: usize, lane: usize) -> f64 {
    if lane == 3 { 0.0 } else { element::<8>(world, "diffusion_links", c)[4 + lane] }
}

fn volume_of(world: &World, c: usize) -> f64 {
    element::<8>(world, "diffusion_links", c)[3]
}

fn diagonal(world: &World, c: usize) -> Values {
    let rates = rates(world);
    each(|lane| volume_of(world, c) + rates[lane] * sum_of(world, c, lane))
}

pub(crate) fn largest(a: Values, b: Values) -> Values {
    each(|lane| a[lane].max(b[lane].abs()))
}

/// The explicit change, and the largest values.
pub(crate) fn start(world: &mut World) {
    let rates = rates(world);
    for c in busy_cells(world) {
        let push: Values = element(world, "diffusion_r", c);
        let change = each(|lane| {
            let q = |c: usize| element::<4>(world, "face_other", c)[lane];
            let (walls, others) = around(world, c, lane);
            let flow = others.into_iter().map(|(other, share)| share * (q(other) - q(c)));
            push[lane] + flow.sum::<f64>() - walls * q(c)
        });
        let r = each(|lane| rates[lane] * change[lane]);
        let diagonal = diagonal(world, c);
        set(world, "diffusion_r", c, r);
        set(world, "diffusion_u", c, each(|lane| r[lane] / diagonal[lane]));
    }
    let size = |world: &World, c: usize| {
        let [q, u] = ["face_other", "diffusion_u"].map(|name| element(world, name, c));
        largest(largest([0.0; 4], q), u)
    };
    by_group(world, size, largest);
}

/// Inverse scales.
pub(crate) fn scale(world: &mut World) {
    let most = of_groups(world, largest);
    let least = (LEAST * most.iter().copied().fold(0.0, f64::max)).max(1e-20);
    let scales = most.map(|most| 1.0 / most.max(least));
    world.floats_mut("diffusion_scalars")[8..].copy_from_slice(&scales);
}

fn is_linked(world: &World, c: usize) -> bool {
    (0..3).any(|lane| sum_of(world, c, lane) > 0.0)
}

/// w = A u.
pub(crate) fn apply(world: &mut World) {
    let rates = rates(world);
    for c in busy_cells(world).into_iter().filter(|c| is_linked(world, *c)).collect::<Vec<_>>() {
        let w = each(|lane| {
            let u = |c: usize| element::<4>(world, "diffusion_u", c)[lane];
            let (_, others) = around(world, c, lane);
            let flow: f64 = others.into_iter().map(|(other, share)| share * u(other)).sum();
            diagonal(world, c)[lane] * u(c) - rates[lane] * flow
        });
        set(world, "diffusion_w", c, w);
    }
    let scale = each(|lane| world.floats("diffusion_scalars")[8 + lane]);
    let products = |world: &World, c: usize| {
        if !is_linked(world, c) {
            return [0.0; 4];
        }
        let [r, u, w] = ["r", "u", "w"].map(|name| {
            let value: Values = element(world, &format!("diffusion_{name}"), c);
            each(|lane| scale[lane] * value[lane])
        });
        let dot = |a: Values, b: Values| (0..4).map(|lane| a[lane] * b[lane]).sum();
        [dot(r, u), dot(u, w), r.into_iter().map(f64::abs).fold(0.0, f64::max), 0.0]
    };
    by_group(world, products, together);
}

/// α, β and the residual in percent, by which the loop ends.
pub(crate) fn total(world: &mut World) {
    let [gamma, delta, most, _] = of_groups(world, together);
    let last = each(|k| world.floats("diffusion_scalars")[k]);
    let [alpha, beta] = next_scalars(world, last, [gamma, delta]);
    world.floats_mut("diffusion_scalars")[..3].copy_from_slice(&[alpha, beta, gamma]);
    let residual = if alpha > 0.0 { 100.0 * most } else { 0.0 };
    set(world, "diffusion_residual", 0, [residual]);
    end_iteration(world, residual);
}

/// A step of conjugate gradients.
pub(crate) fn step(world: &mut World) {
    let [alpha, beta] = [0, 1].map(|k| world.floats("diffusion_scalars")[k]);
    for c in (0..cells(world)).filter(|c| is_linked(world, *c)).collect::<Vec<_>>() {
        let of = |name: &str| element::<4>(world, name, c);
        let next = |now: &str, before: &str| {
            let (now, before) = (of(now), of(before));
            each(|lane| now[lane] + if beta > 0.0 { beta * before[lane] } else { 0.0 })
        };
        let (p, s) = (next("diffusion_u", "diffusion_p"), next("diffusion_w", "diffusion_s"));
        let (q, r, diagonal) = (of("face_other"), of("diffusion_r"), diagonal(world, c));
        let r = each(|lane| r[lane] - alpha * s[lane]);
        set(world, "diffusion_p", c, p);
        set(world, "diffusion_s", c, s);
        set(world, "face_other", c, each(|lane| q[lane] + alpha * p[lane]));
        set(world, "diffusion_r", c, r);
        set(world, "diffusion_u", c, each(|lane| r[lane] / diagonal[lane]));
    }
}

/// An explicit step, of which cells that would change by too much give the rest to their neighbours, by s⁴ of their shares.
pub(crate) fn add(world: &mut World) {
    let rates = rates(world);
    let change = |world: &World, c: usize, lane: usize| {
        let r = |c: usize| element::<4>(world, "diffusion_r", c)[lane];
        let taken = |c: usize| match volume_of(world, c) {
            whole if whole > 0.999 => whole,
            cut => cut.max(rates[lane] * sum_of(world, c, lane)),
        };
        let received = around(world, c, lane).1.into_iter().map(|(other, share)| {
            let rest = r(other) * (1.0 - volume_of(world, other) / taken(other));
            let (_, beside) = around(world, other, lane);
            let shares: f64 = beside.iter().map(|(_, share)| share).sum();
            let powers: f64 = beside.iter().map(|(_, share)| share.powi(4)).sum();
            rest * shares / sum_of(world, other, lane) * share.powi(4) / powers
        });
        (r(c) + received.sum::<f64>()) / taken(c)
    };
    for c in 0..cells(world) {
        let q: Values = element(world, "face_other", c);
        set(world, "face_other", c, each(|lane| q[lane] + change(world, c, lane)));
    }
}
