//! Rigid bodies in liquids on a grid (`wgsl/liquid/levers`, `beside`, `press`, `yield`): what the pressure of cells gives to
//! them, and what they change of it.

use glam::DVec3;

use crate::World;
use crate::body::Posed;
use crate::faces::{
    axes, element, free_part, is_open, middle, nearest_solid, next, open_share, rise, set, solids,
};
use crate::grid::{
    blocks, busy_cells, cells_around, cells_of_block, center, coordinates, edge, listed_cells,
};
use crate::held::sums_of_solid;
use crate::poisson::diagonal;
use crate::solid::{contact, distinct_walls};
use crate::space::{displacement, with_w};

/// A body or a wall beside a cell.
#[derive(Clone, Copy, Default)]
struct Lever {
    /// Number from 0.
    number: usize,
    /// J in faces of cells.
    push: DVec3,
    /// Its moment about the solid's centre.
    twist: DVec3,
    /// What the gradient of the pressure gives along each axis, in cells.
    beyond: DVec3,
}

fn levers(world: &World, c: usize) -> Vec<Lever> {
    let row: [f64; 36] = element(world, "levers", c);
    let of = |at: usize| DVec3::from_slice(&row[at..at + 3]);
    let read = |slot: usize| {
        let number = row[8 * slot + 3].round() as usize;
        let (push, twist, beyond) = (of(8 * slot), of(8 * slot + 4), of(24 + 4 * slot));
        (number > 0).then(|| Lever { number: number - 1, push, twist, beyond })
    };
    (0..3).map_while(read).collect()
}

/// Shares of a cell in each solid, of which each has a part of what those before leave free.
fn shares(world: &World, solids: &[Posed], c: usize) -> Vec<f64> {
    let x = center(&world.params, coordinates(&world.params, c));
    let mut left = 1.0;
    let mut share_of = |solid: &Posed| {
        let free = |wall: usize| {
            let contact = contact(world, solid, wall, x);
            free_part(contact.normal, contact.distance / edge(&world.params))
        };
        let before = left;
        left *= (0..distinct_walls(&solid.collider)).map(free).product::<f64>();
        before - left
    };
    solids.iter().map(&mut share_of).collect()
}

/// Levers of all cells of liquid (`wgsl/liquid/levers`).
pub(crate) fn lever(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    for c in busy_cells(world) {
        let mut found: Vec<Lever> = Vec::new();
        for axis in (0..axes(&params)).filter(|_| diagonal(world, c) > 0.0) {
            let step = DVec3::AXES[axis];
            let below = middle(&params, c, axis);
            let sides = [
                (below, open_share(world, c, axis), -step),
                (
                    below + edge(&params) * step,
                    open_share(world, next(&params, c, axis, 1), axis),
                    step,
                ),
            ];
            for (x, open, way) in sides.into_iter().filter(|(_, open, _)| *open < 1.0) {
                let Some((number, _)) = nearest_solid(world, &solids, x) else { continue };
                if world.colliders[number].is_body == 0 {
                    continue;
                }
                let push = (1.0 - open) * way;
                let twist = displacement(&params, x, solids[number].position).cross(push);
                let own = Lever { number, push, twist, beyond: push.abs() / 2.0 };
                match found.iter().position(|lever| lever.number == number) {
                    Some(at) => {
                        let lever = &mut found[at];
                        lever.push += own.push;
                        lever.twist += own.twist;
                        lever.beyond += own.beyond;
                    }
                    None if found.len() < 3 => found.push(own),
                    None => {}
                }
            }
        }
        let shares = if found.is_empty() { Vec::new() } else { shares(world, &solids, c) };
        let mut row = [0.0; 36];
        for (slot, lever) in found.into_iter().enumerate() {
            let is_wall = world.colliders[lever.number].is_body == 2;
            let beyond = if is_wall { lever.beyond - shares[lever.number] } else { DVec3::ZERO };
            row[8 * slot..][..4].copy_from_slice(&with_w(lever.push, (lever.number + 1) as f64));
            row[8 * slot + 4..][..4].copy_from_slice(&with_w(lever.twist, 0.0));
            row[24 + 4 * slot..][..4].copy_from_slice(&with_w(beyond, 0.0));
        }
        set(world, "levers", c, row);
    }
}

/// Blocks with cells of liquid beside bodies.
pub(crate) fn beside(world: &mut World) {
    let all = blocks(world);
    for block in 0..all {
        let mut cells = cells_of_block(&world.params, block).into_iter();
        let found = cells.any(|c| diagonal(world, c) > 0.0 && !levers(world, c).is_empty());
        world.words_mut("block_busy")[block] = u32::from(found);
    }
    world.words_mut("block_busy")[all] = 0;
}

/// Impulses on solids, and angular impulses, of what `of` says of the cells that `cells` says of each.
fn sum(
    world: &mut World,
    cells: impl Fn(&World, usize) -> Vec<Option<usize>>,
    of: impl Fn(&World, usize, &Lever) -> [DVec3; 2],
) {
    let flat = axes(&world.params) == 2;
    let density = f64::from(world.params.materials[0].rest_density);
    let area = density * edge(&world.params).powi(if flat { 1 } else { 2 });
    let parts = sums_of_solid(world);
    for part in 0..world.stage.element_count as usize {
        let (number, share) = (part / parts, part % parts);
        let all = cells(world, number);
        let own = all.into_iter().enumerate().filter(|(k, _)| k / 64 % parts == share);
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for c in own.filter_map(|(_, c)| c) {
            for lever in levers(world, c).iter().filter(|lever| lever.number == number) {
                let [push, twist] = of(world, c, lever);
                force += area * push;
                torque += area * twist;
            }
        }
        let mut row = [0.0; 8];
        row[..4].copy_from_slice(&with_w(force, 0.0));
        row[4..].copy_from_slice(&with_w(torque, 0.0));
        set(world, "body_partial", part, row);
    }
}

/// Impulses of the pressure on bodies.
pub(crate) fn press(world: &mut World) {
    let pressure = |world: &World, c: usize| element::<2>(world, "solution", c)[0];
    sum(world, cells_around, |world, c, lever| {
        [lever.push, lever.twist].map(|of| pressure(world, c) * of)
    });
}

/// Difference of the pressure from a cell to the next along an axis, by the faces of the cell that are open.
fn slope(world: &World, c: usize, axis: usize) -> f64 {
    let (below, above) = (next(&world.params, c, axis, -1), next(&world.params, c, axis, 1));
    let faces = [(c, below), (above, c)];
    let open = faces.into_iter().filter(|(face, _)| is_open(world, *face, axis));
    let of = |(face, low): (usize, usize)| {
        let share = open_share(world, face, axis);
        (share, share * rise(world, face, low, 1.0).expect("the cell has liquid"))
    };
    match open.map(of).reduce(|a, b| (a.0 + b.0, a.1 + b.1)) {
        Some((shares, sum)) => sum / shares,
        None => {
            let fall = f64::from(world.control.dt) * world.params.world.gravity.as_dvec3();
            edge(&world.params) * fall[axis]
        }
    }
}

/// Impulses of the pressure on solids whose motion is given, where they are in their cells.
pub(crate) fn lean(world: &mut World) {
    let before = world.floats("body_partial").to_vec();
    sum(
        world,
        |world, _| listed_cells(world),
        |world, c, lever| {
            let [pressure, _] = element(world, "solution", c);
            let mut more = DVec3::ZERO;
            for axis in (0..axes(&world.params)).filter(|_| lever.beyond != DVec3::ZERO) {
                more[axis] = lever.beyond[axis] * slope(world, c, axis);
            }
            let mean = pressure + more.dot(lever.push) / lever.push.length_squared().max(1e-12);
            [pressure * lever.push + more, mean * lever.twist]
        },
    );
    let driven = 8 * sums_of_solid(world) * world.params.counts.driven as usize;
    world.floats_mut("body_partial")[driven..].copy_from_slice(&before[driven..]);
}

/// Impulses on bodies of what conjugate gradients multiply by A.
pub(crate) fn press_residual(world: &mut World) {
    let product = |world: &World, c: usize| element::<1>(world, "poisson_u", c)[0];
    sum(world, cells_around, |world, c, lever| {
        [lever.push, lever.twist].map(|of| product(world, c) * of)
    });
}

/// Share of the bodies in the equation of pressure (`wgsl/liquid/yield`).
pub(crate) fn give_way(world: &mut World) {
    let parts = sums_of_solid(world);
    for c in busy_cells(world) {
        let mut flux = 0.0;
        for Lever { number, push, twist, .. } in levers(world, c) {
            let collider = world.colliders[number];
            if collider.inverse_mass == 0.0 {
                continue;
            }
            let mut sums = [DVec3::ZERO; 2];
            for part in number * parts..(number + 1) * parts {
                let row: [f64; 8] = element(world, "body_partial", part);
                sums[0] += DVec3::from_slice(&row[..3]);
                sums[1] += DVec3::from_slice(&row[4..7]);
            }
            let body = &world.bodies[number];
            let rotation = crate::body::rotation(body);
            let inertia = collider.inverse_inertia.as_dvec3();
            let spin = rotation * (inertia * (rotation.inverse() * sums[1]));
            flux += f64::from(collider.inverse_mass) * push.dot(sums[0]) + twist.dot(spin);
        }
        set(world, "poisson_w", c, [edge(&world.params) * flux]);
    }
}
