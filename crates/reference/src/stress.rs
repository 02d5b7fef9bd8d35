//! Implicit viscosity of liquids on a grid (`wgsl/stress/`), by what each cell and edge resists.

use crate::World;
use crate::diffusion::largest;
use crate::faces::{
    axes, cells, element, is_open, next, rise_of_stage, set, solid_velocity, sticks,
};
use crate::grid::{busy_cells, edge};
use crate::poisson::{by_group, diagonal, together};

pub(crate) type Values = [f64; 4];

pub(crate) fn is_wet(world: &World, c: usize) -> bool {
    diagonal(world, c) > 0.0
}

pub(crate) fn is_free(world: &World, c: usize, axis: usize) -> bool {
    let below = next(&world.params, c, axis, -1);
    is_open(world, c, axis) && (is_wet(world, c) || is_wet(world, below))
}

/// The four faces around the edge of a cell's lower corner in the plane of two axes: number and axis, and the sign with which
/// their velocity counts for the shear.
pub(crate) fn around(world: &World, c: usize, a: usize, b: usize) -> [(usize, usize, f64); 4] {
    let back = |axis: usize| next(&world.params, c, axis, -1);
    [(c, a, 1.0), (back(b), a, -1.0), (c, b, 1.0), (back(a), b, -1.0)]
}

/// Whether an edge counts: between free faces.
fn has_edge(world: &World, c: usize, a: usize, b: usize) -> bool {
    around(world, c, a, b).into_iter().all(|(face, axis, _)| is_free(world, face, axis))
}

/// Cells beside a lower face that have liquid.
fn wet_sides(world: &World, c: usize, axis: usize) -> Vec<usize> {
    let sides = [c, next(&world.params, c, axis, -1)];
    sides.into_iter().filter(|side| is_wet(world, *side)).collect()
}

/// Neighbours of a face across its axis, on which fluid sticks to a closed face of that axis.
pub(crate) fn sticky(world: &World, c: usize, axis: usize) -> Vec<usize> {
    let others = (0..axes(&world.params)).filter(|other| *other != axis);
    let both = others.flat_map(|other| [-1, 1].map(|step| next(&world.params, c, other, step)));
    both.filter(|side| sticks(world, *side, axis)).collect()
}

/// Edges beside a lower face: lower corner and the other axis.
fn edges(world: &World, c: usize, axis: usize) -> Vec<(usize, usize)> {
    let others = (0..axes(&world.params)).filter(|other| *other != axis);
    let both = others.flat_map(|other| [(c, other), (next(&world.params, c, other, 1), other)]);
    both.filter(|(corner, other)| has_edge(world, *corner, axis, *other)).collect()
}

/// Free faces, wet cells, edges, and what walls push.
pub(crate) fn links(world: &mut World) {
    let material = world.params.materials[0];
    let viscosity = f64::from(material.viscosity) / f64::from(material.rest_density);
    let k = f64::from(world.control.dt) * viscosity / edge(&world.params).powi(2);
    world.floats_mut("diffusion_scalars")[4..8].copy_from_slice(&[k, k, k, 0.0]);
    let all = axes(&world.params);
    for c in 0..cells(world) {
        let (mut flags, mut counts, mut push) = (u32::from(is_wet(world, c)) << 27, 0, [0.0; 4]);
        for (a, push) in push.iter_mut().enumerate().take(all) {
            for b in a + 1..all {
                flags |= u32::from(has_edge(world, c, a, b)) << (31 - a - b);
            }
            if !is_free(world, c, a) {
                continue;
            }
            flags |= 1 << (24 + a);
            let up = next(&world.params, c, a, 1);
            let down = next(&world.params, c, a, -1);
            let across =
                [(c, up), (down, down)].into_iter().filter(|(side, _)| is_wet(world, *side));
            let closed = across.map(|(_, face)| face).filter(|face| !is_open(world, *face, a));
            let walls = sticky(world, c, a);
            let pushes = closed.chain(walls.iter().copied());
            *push = pushes.map(|face| 2.0 * solid_velocity(world, face, a)).sum();
            let halves = wet_sides(world, c, a).len() + walls.len();
            counts |= ((2 * halves + edges(world, c, a).len()) as u32) << (8 * a);
        }
        world.words_mut("stress_links")[2 * c..2 * c + 2].copy_from_slice(&[flags, counts]);
        set(world, "diffusion_r", c, push);
    }
}

/// k times what resists the velocities of an array at a cell's free lower face, 0 at faces that are not free.
fn resistance(world: &World, name: &str, c: usize, a: usize) -> f64 {
    let value = |c: usize, axis: usize| match is_free(world, c, axis) {
        true => element::<4>(world, name, c)[axis],
        false => 0.0,
    };
    let own = value(c, a);
    let stretch = wet_sides(world, c, a).into_iter().map(|side| {
        let opposite = if side == c { next(&world.params, c, a, 1) } else { side };
        2.0 * (own - value(opposite, a))
    });
    let shear = edges(world, c, a).into_iter().map(|(corner, b)| {
        let faces = around(world, corner, a, b);
        let shear: f64 = faces.iter().map(|(face, axis, sign)| sign * value(*face, *axis)).sum();
        if corner == c { shear } else { -shear }
    });
    let walls = 2.0 * sticky(world, c, a).len() as f64 * own;
    let k = world.floats("diffusion_scalars")[4];
    k * (stretch.sum::<f64>() + shear.sum::<f64>() + walls)
}

fn inverse_diagonal(world: &World, c: usize) -> f64 {
    let counts = world.words("stress_links")[2 * c + 1];
    let most = (0..3).map(|axis| counts >> (8 * axis) & 255).max().unwrap_or(0);
    1.0 / (1.0 + world.floats("diffusion_scalars")[4] * f64::from(most))
}

pub(crate) fn of_free(world: &World, c: usize, of: impl Fn(usize) -> f64) -> Values {
    let is_one = |axis: usize| axis < axes(&world.params) && is_free(world, c, axis);
    std::array::from_fn(|axis| if is_one(axis) { of(axis) } else { 0.0 })
}

/// Velocities of a cell's free faces.
pub(crate) fn speeds(world: &World, c: usize) -> Values {
    let u: Values = element(world, "face_other", c);
    of_free(world, c, |axis| u[axis])
}

/// The explicit change, and the largest velocities.
pub(crate) fn start(world: &mut World) {
    let k = world.floats("diffusion_scalars")[4];
    for c in busy_cells(world) {
        let push: Values = element(world, "diffusion_r", c);
        let r = of_free(world, c, |a| k * push[a] - resistance(world, "face_other", c, a));
        let inverse = inverse_diagonal(world, c);
        set(world, "diffusion_r", c, r);
        set(world, "diffusion_u", c, r.map(|r| inverse * r));
    }
    by_group(world, speeds, largest);
}

/// w = A u.
pub(crate) fn apply(world: &mut World) {
    for c in busy_cells(world) {
        let u: Values = element(world, "diffusion_u", c);
        let mut w = of_free(world, c, |a| u[a] + resistance(world, "diffusion_u", c, a));
        w[3] = inverse_diagonal(world, c);
        set(world, "diffusion_w", c, w);
    }
    let scales = &world.floats("diffusion_scalars")[8..11];
    let scale = scales.iter().copied().fold(f64::INFINITY, f64::min);
    let products = |world: &World, c: usize| {
        let of = |name: &str| {
            let all: Values = element(world, name, c);
            of_free(world, c, |axis| scale * all[axis])
        };
        let [r, u, w] = ["diffusion_r", "diffusion_u", "diffusion_w"].map(of);
        let dot = |a: Values, b: Values| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        [dot(r, u), dot(u, w), r.into_iter().map(f64::abs).fold(0.0, f64::max), 0.0]
    };
    by_group(world, products, together);
}

/// A step of conjugate gradients.
pub(crate) fn step(world: &mut World) {
    let [alpha, beta] = [0, 1].map(|k| world.floats("diffusion_scalars")[k]);
    for c in busy_cells(world) {
        let of = |name: &str| element::<4>(world, name, c);
        let [x, y, z, inverse] = of("diffusion_w");
        let next = |now: Values, before: &str| -> Values {
            let before = of(before);
            std::array::from_fn(|k| now[k] + if beta > 0.0 { beta * before[k] } else { 0.0 })
        };
        let p = next(of("diffusion_u"), "diffusion_p");
        let s = next([x, y, z, 0.0], "diffusion_s");
        let (u, r) = (of("face_other"), of("diffusion_r"));
        let r: Values = std::array::from_fn(|k| r[k] - alpha * s[k]);
        set(world, "diffusion_p", c, p);
        set(world, "diffusion_s", c, s);
        set(world, "face_other", c, std::array::from_fn::<f64, 4, _>(|k| u[k] + alpha * p[k]));
        set(world, "diffusion_r", c, r);
        set(world, "diffusion_u", c, r.map(|r| inverse * r));
    }
}

/// The last step's pressure acts again.
pub(crate) fn restore(world: &mut World) {
    for c in busy_cells(world) {
        let mut u: Values = element(world, "face", c);
        let other: Values = element(world, "face_other", c);
        for axis in 0..axes(&world.params) {
            if let Some(rise) = rise_of_stage(world, c, axis).filter(|_| is_open(world, c, axis)) {
                u[axis] = other[axis] + rise / edge(&world.params);
            }
        }
        set(world, "face", c, u);
    }
}
