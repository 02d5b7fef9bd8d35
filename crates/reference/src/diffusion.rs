//! Diffusion on cells and faces (`wgsl/diffusion/`), by the values around each.

use crate::World;
use crate::faces::{
    axes, cells, element, is_open, middle, nearest_solid, next, set, solid_velocity, solids, sticks,
};
use crate::grid::{busy_cells, edge};
use crate::poisson::{by_group, next_scalars, of_groups, together};
use crate::smoke::{is_inner, part_time};

/// Weight of a wall's velocity half a cell away: the ghost 2 `v_s` − u less u is twice their difference.
const HALF_AWAY: u32 = 2;
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

fn set_links(world: &mut World, c: usize, links: u32, weights: u32, push: Values) {
    world.words_mut("diffusion_links")[2 * c..2 * c + 2].copy_from_slice(&[links, weights]);
    set(world, "diffusion_r", c, push);
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
        let (mut links, mut weights, mut push) = (0, 0, [0.0; 4]);
        for axis in (0..axes(&world.params)).filter(|axis| is_free(world, c, *axis)) {
            for way in ways(world) {
                let other = on(world, c, way);
                let weight = match (is_open(world, other, axis), way / 2 == axis) {
                    (true, _) => 0,
                    (false, true) => 1,
                    (false, false) => HALF_AWAY * u32::from(sticks(world, other, axis)),
                };
                links |= u32::from(is_free(world, other, axis)) << (4 * way + axis);
                weights += weight << (8 * axis);
                push[axis] += f64::from(weight) * solid_velocity(world, other, axis);
            }
        }
        set_links(world, c, links, weights, push);
    }
}

/// Heat in J that warms a cubic metre of air by 1 K.
const HEAT_OF_AIR: f64 = 1210.0;

/// Links of smoke and temperature, and what walls do to it.
pub(crate) fn centres(world: &mut World) {
    let [smoke, heat] = ["diffusivity", "thermal_diffusivity"]
        .map(|name| world.number(&format!("stable_fluids.{name}")));
    set_rates(world, [smoke, heat, 0.0, 0.0]);
    let solids = solids(world);
    for c in 0..cells(world) {
        let through = |way: usize| {
            let face = if way % 2 == 1 { on(world, c, way) } else { c };
            element::<4>(world, "coefficient", face)[way / 2] > 0.0
        };
        let links = ways(world).filter(|way| through(*way)).map(|way| 0b11 << (4 * way)).sum();
        let (mut weight, mut push) = (0, 0.0);
        let in_air = element::<4>(world, "coefficient", c)[3] > 0.0;
        for way in ways(world).filter(|way| in_air && heat > 0.0 && !through(*way)) {
            let face = if way % 2 == 1 { on(world, c, way) } else { c };
            let place = middle(&world.params, face, way / 2);
            let wall =
                nearest_solid(world, &solids, place).filter(|_| !is_open(world, face, way / 2));
            let Some((solid, _)) = wall else { continue };
            let [is_kept, kept, flux, _] = world.colliders[solid].heat.to_array().map(f64::from);
            weight += HALF_AWAY * is_kept as u32;
            push += 2.0 * kept + flux * edge(&world.params) / (HEAT_OF_AIR * heat);
        }
        set_links(world, c, links, weight << 8, [0.0, push, 0.0, 0.0]);
    }
}

/// Number of neighbours that a value is linked to, with the walls' weights, and those neighbours.
fn around(world: &World, c: usize, lane: usize) -> (f64, Vec<usize>) {
    let [links, weights] = [0, 1].map(|word| world.words("diffusion_links")[2 * c + word]);
    let linked = |way: &usize| links >> (4 * way + lane) & 1 == 1;
    let found: Vec<_> = ways(world).filter(linked).map(|way| on(world, c, way)).collect();
    (found.len() as f64 + f64::from(weights >> (8 * lane) & 0xff), found)
}

fn diagonal(world: &World, c: usize) -> Values {
    let rates = rates(world);
    each(|lane| 1.0 + rates[lane] * around(world, c, lane).0)
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
            let (count, others) = around(world, c, lane);
            push[lane] + others.into_iter().map(q).sum::<f64>() - count * q(c)
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
    world.words("diffusion_links")[2 * c..2 * c + 2].iter().any(|word| *word != 0)
}

/// w = A u.
pub(crate) fn apply(world: &mut World) {
    let rates = rates(world);
    for c in busy_cells(world).into_iter().filter(|c| is_linked(world, *c)).collect::<Vec<_>>() {
        let w = each(|lane| {
            let u = |c: usize| element::<4>(world, "diffusion_u", c)[lane];
            let (count, others) = around(world, c, lane);
            u(c) + rates[lane] * (count * u(c) - others.into_iter().map(u).sum::<f64>())
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

/// α, β and the residual in percent.
pub(crate) fn total(world: &mut World) {
    let [gamma, delta, most, _] = of_groups(world, together);
    let last = each(|k| world.floats("diffusion_scalars")[k]);
    let [alpha, beta] = next_scalars(world, last, [gamma, delta]);
    world.floats_mut("diffusion_scalars")[..3].copy_from_slice(&[alpha, beta, gamma]);
    set(world, "diffusion_residual", 0, [if alpha > 0.0 { 100.0 * most } else { 0.0 }]);
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

/// An explicit step.
pub(crate) fn add(world: &mut World) {
    for c in 0..cells(world) {
        let (q, r): (Values, Values) =
            (element(world, "face_other", c), element(world, "diffusion_r", c));
        set(world, "face_other", c, each(|lane| q[lane] + r[lane]));
    }
}
