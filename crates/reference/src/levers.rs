//! Rigid bodies in liquids on a grid (`wgsl/liquid/levers`, `beside`, `press`, `yield`): what the pressure of cells gives to
//! them, and what they change of it.

use glam::DVec3;

use crate::World;
use crate::faces::{axes, element, middle, nearest_solid, next, open_share, set, solids};
use crate::grid::{blocks, busy_blocks, busy_cells, cells_of_block, edge};
use crate::held::PARTS;
use crate::poisson::diagonal;
use crate::space::{displacement, with_w};

/// The bodies beside a cell: numbers from 0, J in faces of cells, and its moment about the body's centre.
fn levers(world: &World, c: usize) -> Vec<(usize, DVec3, DVec3)> {
    let lever: [f64; 24] = element(world, "levers", c);
    let slots = lever.chunks_exact(8).take_while(|slot| slot[3] > 0.0);
    let of = |at: &[f64]| DVec3::from_slice(at);
    slots.map(|slot| (slot[3].round() as usize - 1, of(&slot[..3]), of(&slot[4..7]))).collect()
}

/// Levers of all cells of liquid.
pub(crate) fn lever(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    for c in busy_cells(world) {
        let mut found: Vec<(usize, DVec3, DVec3)> = Vec::new();
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
                match found.iter().position(|(who, ..)| *who == number) {
                    Some(at) => {
                        found[at].1 += push;
                        found[at].2 += twist;
                    }
                    None if found.len() < 3 => found.push((number, push, twist)),
                    None => {}
                }
            }
        }
        let mut row = [0.0; 24];
        for (slot, (number, push, twist)) in row.chunks_exact_mut(8).zip(found) {
            slot[..4].copy_from_slice(&with_w(push, (number + 1) as f64));
            slot[4..].copy_from_slice(&with_w(twist, 0.0));
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

/// Impulses on bodies of what `of` says of the cells beside them.
fn sum(world: &mut World, of: impl Fn(&World, usize, usize, DVec3) -> [DVec3; 2]) {
    let listed: Vec<_> = busy_blocks(world).iter().map(|block| *block as usize).collect();
    let flat = axes(&world.params) == 2;
    let density = f64::from(world.params.materials[0].rest_density);
    let area = density * edge(&world.params).powi(if flat { 1 } else { 2 });
    for part in 0..world.stage.element_count as usize {
        let (number, share) = (part / PARTS, part % PARTS);
        // 64 cells are eight blocks.
        let blocks = listed.iter().enumerate().filter(|(k, _)| k / 8 % PARTS == share);
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for c in blocks.flat_map(|(_, block)| cells_of_block(&world.params, *block)) {
            for (_, push, twist) in levers(world, c).iter().filter(|(who, ..)| *who == number) {
                let [push_by, twist_by] = of(world, c, number, *push);
                force += area * push_by * *push;
                torque += area * twist_by * *twist;
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
    sum(world, |world, c, _, _| [DVec3::splat(element::<2>(world, "solution", c)[0]); 2]);
}

/// Impulses of the pressure on bodies, and on walls whose forces are measured, half a cell beyond the cells' centres.
pub(crate) fn lean(world: &mut World) {
    sum(world, |world, c, number, push| {
        let is_wall = world.colliders[number].is_body == 2;
        let half =
            if is_wall { 0.5 * edge(&world.params) * f64::from(world.control.dt) } else { 0.0 };
        let fall = half * world.params.world.gravity.as_dvec3();
        let way = push.to_array().map(|x| if x == 0.0 { 0.0 } else { x.signum() });
        let pressure = DVec3::splat(element::<2>(world, "solution", c)[0]);
        [pressure + fall * DVec3::from(way), pressure + fall.dot(push.normalize_or_zero())]
    });
}

/// Impulses on bodies of what conjugate gradients multiply by A.
pub(crate) fn press_residual(world: &mut World) {
    sum(world, |world, c, _, _| [DVec3::splat(element::<1>(world, "poisson_u", c)[0]); 2]);
}

/// Share of the bodies in the equation of pressure.
pub(crate) fn give_way(world: &mut World) {
    for c in busy_cells(world) {
        let mut flux = 0.0;
        for (number, push, twist) in levers(world, c) {
            let collider = world.colliders[number];
            if collider.inverse_mass == 0.0 {
                continue;
            }
            let mut sums = [DVec3::ZERO; 2];
            for part in number * PARTS..(number + 1) * PARTS {
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
