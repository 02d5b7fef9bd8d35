//! Nodes of material points at walls (`wgsl/mpm/`, `wgsl/common/held.wgsl`).

use glam::{DMat3, DVec3, I64Vec3};
use meniscus_model::Params;
use meniscus_model::params::{RESPONSE_SEPARATE, RESPONSE_SLIP, RESPONSE_STICKY};

use crate::World;
use crate::body::{Posed, VELOCITY, part, posed, set, turn};
use crate::grid::{block_edges, busy_cells, cells_around, center, coordinates, edge};
use crate::mpm::{least_mass, row, set_element, weight};
use crate::solid::{contact, distinct_walls};
use crate::space::{displacement, with_w, xyz};

/// Nodes nearer to a wall than this are held, those this far behind it are not reached; in cells.
const HELD: f64 = 0.4995;
const DEEP: f64 = -1.6;
/// Weight of a particle below which it counts as further from a wall.
const LITTLE: f64 = 1e-6;

/// A wall that holds a node.
#[derive(Clone, Copy)]
pub(crate) struct Wall {
    /// Towards the fluid.
    pub(crate) normal: DVec3,
    /// Of the node, in m.
    distance: f64,
    /// Its solid.
    pub(crate) solid: usize,
    /// Speed in m/s at which particles may still approach it.
    closing: f64,
}

impl Wall {
    /// Distance over that of a free node at this offset in m.
    fn lever(&self, params: &Params, offset: DVec3) -> f64 {
        self.distance / (self.distance + self.normal.dot(offset)).max(HELD * edge(params))
    }

    /// Velocity of the wall at a place.
    fn velocity(&self, params: &Params, solids: &[Posed], x: DVec3) -> DVec3 {
        let solid = &solids[self.solid];
        let arm = displacement(params, x, solid.position);
        solid.velocity + solid.angular_velocity.cross(arm) - self.closing * self.normal
    }
}

/// Sums for each solid.
pub(crate) fn sums_of_solid(world: &World) -> usize {
    meniscus_methods::space::sums_of_collider(world.params.counts.colliders) as usize
}

/// Solids whose walls hold nodes.
pub(crate) fn solids(world: &World) -> Vec<Posed> {
    (0..world.params.counts.colliders as usize).map(|number| posed(world, number)).collect()
}

/// Walls that hold a node, by their rows, and the weight of the last row.
pub(crate) fn hold(world: &World, c: usize) -> ([Option<Wall>; 3], f64) {
    let [numbers, closing] = [row(world, "hold", c, 3), row(world, "closing", c, 0)];
    let wall = |k: usize| {
        let [x, y, z, distance] = row(world, "hold", c, k);
        let solid = (numbers[k] > 0.0).then(|| numbers[k].round() as usize - 1)?;
        Some(Wall { normal: DVec3::new(x, y, z), distance, solid, closing: closing[k] })
    };
    ([0, 1, 2].map(wall), numbers[3])
}

/// Whether a node's walls hold it.
pub(crate) fn is_held(world: &World, c: usize) -> bool {
    row(world, "hold", c, 3)[..3].iter().any(|number| *number > 0.0)
}

/// Share of a held node that a free one at this offset answers for.
pub(crate) fn answers(params: &Params, walls: &[Wall], offset: DVec3) -> f64 {
    let mut along = offset / edge(params);
    let mut square = along.length_squared();
    for wall in walls {
        let cells = (wall.distance + wall.normal.dot(offset)) / edge(params);
        if !(HELD..HELD + 1.0).contains(&cells) {
            return 0.0;
        }
        // As of unit normals, which those of f32 are not quite.
        let part = wall.normal.dot(along);
        square -= part * part;
        along -= part * wall.normal;
    }
    (1.0 - square.max(0.0).sqrt()).max(0.0)
}

/// Velocity of a held node at x by that of a free one at this offset: v = a `v_k` + b.
pub(crate) fn tie(
    world: &World,
    all: &[Posed],
    walls: &[Wall],
    x: DVec3,
    offset: DVec3,
) -> (DMat3, DVec3) {
    let (mut a, mut b) = (DMat3::IDENTITY, DVec3::ZERO);
    for wall in walls {
        let (n, u) = (wall.normal, wall.velocity(&world.params, all, x));
        let f = wall.lever(&world.params, offset);
        let part = if all[wall.solid].collider.response == RESPONSE_STICKY {
            DMat3::IDENTITY
        } else {
            DMat3::from_cols(n * n.x, n * n.y, n * n.z)
        };
        // v ← v + (f − 1) part (v − u)
        a += (f - 1.0) * part * a;
        b += (f - 1.0) * part * (b - u);
    }
    (a, b)
}

/// Whether a cell's node was gathered in this step.
fn is_busy(world: &World, cell: I64Vec3) -> bool {
    let edges = block_edges(&world.params);
    let blocks = (world.params.grid.size.as_i64vec3() + edges - 1) / edges;
    let at = cell / edges;
    world.words("block_busy")[(at.x + blocks.x * (at.y + blocks.y * at.z)) as usize] == 1
}

/// Number, and offset in m, of the nodes with particles around one.
pub(crate) fn around(world: &World, c: usize) -> Vec<(usize, DVec3)> {
    let params = &world.params;
    let (cell, size) = (coordinates(params, c), params.grid.size.as_i64vec3());
    let reach = 2 * i64::from(params.grid.z_reach);
    let mut found = Vec::new();
    for z in -reach..=reach {
        for y in -2..=2 {
            for x in -2..=2 {
                let step = I64Vec3::new(x, y, z);
                let next = cell + step;
                let inside = (0..3).all(|axis| {
                    params.grid.period[axis] > 0.0 || (0..size[axis]).contains(&next[axis])
                });
                let next = next.rem_euclid(size);
                let d = (next.x + size.x * (next.y + size.y * next.z)) as usize;
                if inside
                    && is_busy(world, next)
                    && row(world, "node", d, 0)[3] > least_mass(params)
                {
                    found.push((d, edge(params) * step.as_dvec3()));
                }
            }
        }
    }
    found
}

/// Sides to which a direction leads, one bit each: −x, −y, −z, x, y, z.
pub(crate) fn sides(n: DVec3) -> u32 {
    let low = (0..3).filter(|axis| n[*axis] < -0.25).map(|axis| 1 << axis);
    let high = (0..3).filter(|axis| n[*axis] > 0.25).map(|axis| 8 << axis);
    low.chain(high).sum()
}

/// Share of the quadratic B-spline of a node that is less than a distance in cells away on one side.
fn in_front(d: f64) -> f64 {
    // The spline is the distribution of a sum of three numbers that are even in ±½.
    let cubed = |x: f64| x.max(0.0).powi(3) / 6.0;
    (cubed(d + 1.5) - 3.0 * cubed(d + 0.5) + 3.0 * cubed(d - 0.5) - cubed(d - 1.5)).min(1.0)
}

/// Volumes per mass of the nodes in front of walls, in place of their masses.
pub(crate) fn mirror(world: &mut World) {
    let most = 4.0 / f64::from(world.params.materials[0].rest_density);
    let flat = world.params.world.dimensions == 2;
    let volume = edge(&world.params).powi(if flat { 2 } else { 3 });
    for c in busy_cells(world) {
        let walled = world.params.counts.colliders > 0;
        let share = if walled { world.floats("open_share")[c].max(1e-3) } else { 1.0 };
        let [x, y, z, mass] = row(world, "node", c, 0);
        let volume = match mass > 0.0 {
            _ if share > 1.0 => share * most / 4.0,
            true => (share * volume / mass).min(most),
            false => most,
        };
        set_element(world, "node", c, &[[x, y, z, volume]]);
    }
}

/// Walls near each node.
pub(crate) fn walls(world: &mut World) {
    let params = world.params;
    let all = solids(world);
    for c in busy_cells(world) {
        let x = center(&params, coordinates(&params, c));
        let mut found: Vec<[f64; 5]> = Vec::new();
        let mut near = 0;
        let mut facing: Vec<(DVec3, f64)> = Vec::new();
        let mut is_beside = false;
        for (number, solid) in all.iter().enumerate() {
            for wall in 0..distinct_walls(&solid.collider) {
                let contact = contact(world, solid, wall, x);
                let cells = contact.distance / edge(&params);
                is_beside |= solid.collider.reach < 1e29 && cells < 1.4995;
                if cells < 1.5 {
                    match facing.iter().rposition(|one| one.0.dot(contact.normal) > 0.9) {
                        Some(k) if cells < facing[k].1 => facing[k] = (contact.normal, cells),
                        None if facing.len() < 3 => facing.push((contact.normal, cells)),
                        _ => {}
                    }
                }
                if cells < HELD + 1.0 {
                    near |= 64 | sides(-contact.normal);
                }
                if !(DEEP..HELD).contains(&cells) {
                    continue;
                }
                let [nx, ny, nz] = contact.normal.to_array();
                let new = [nx, ny, nz, contact.distance, (number + 1) as f64];
                let alike = |one: &[f64; 5]| DVec3::from_slice(&one[..3]).dot(contact.normal) > 0.9;
                match found.iter().rposition(alike) {
                    Some(twin) if found[twin][3] > contact.distance => found[twin] = new,
                    None if found.len() < 3 => found.push(new),
                    _ => {}
                }
            }
        }
        world.floats_mut("open_share")[c] = match is_beside {
            true => 1000.0,
            false => facing.iter().map(|one| in_front(one.1)).product(),
        };
        let mut rows = [[0.0; 4]; 4];
        for (k, [x, y, z, distance, number]) in found.into_iter().enumerate() {
            rows[k] = [x, y, z, distance];
            rows[3][k] = number;
        }
        rows[3][3] = f64::from(near);
        set_element(world, "hold", c, &rows);
    }
}

/// Speed at which the particles around a held node may still approach its walls.
pub(crate) fn approach(world: &mut World) {
    let params = world.params;
    let all = solids(world);
    for c in busy_cells(world) {
        if !is_held(world, c) {
            continue;
        }
        let x = center(&params, coordinates(&params, c));
        let mut nearest = [1.5 * edge(&params); 3];
        for s in world.sorted_fluid() {
            let offset = displacement(&params, x, xyz(row(world, "point_place", s, 0)));
            let share = (weight(&params, offset) / LITTLE).min(1.0);
            if share == 0.0 {
                continue;
            }
            let less = 6.0 * edge(&params) * (1.0 - share);
            for (k, least) in nearest.iter_mut().enumerate() {
                let [nx, ny, nz, d] = row(world, "hold", c, k);
                *least = least.min(d - DVec3::new(nx, ny, nz).dot(offset) + less);
            }
        }
        let radius = f64::from(params.world.particle_radius);
        let dt = f64::from(world.control.dt);
        let (walls, _) = hold(world, c);
        let mut closing = [0.0; 4];
        for (k, nearest) in nearest.into_iter().enumerate() {
            let keeps = walls[k].is_some_and(|wall| {
                [RESPONSE_STICKY, RESPONSE_SLIP].contains(&all[wall.solid].collider.response)
            });
            // A first step takes no time.
            if dt > 0.0 && !(keeps && nearest <= 1.5 * radius) {
                closing[k] = (nearest - radius).max(0.0) / dt;
            }
        }
        set_element(world, "closing", c, &[closing]);
    }
}

/// Lets go what a wall would have to pull (`wgsl/mpm/contact`).
pub(crate) fn release(world: &mut World) {
    let params = world.params;
    let all = solids(world);
    for c in busy_cells(world) {
        let (walls, _) = hold(world, c);
        let here = xyz(row(world, "node", c, 0));
        let x = center(&params, coordinates(&params, c));
        let mut last = row(world, "hold", c, 3);
        for (k, wall) in walls.into_iter().enumerate() {
            let Some(wall) = wall else { continue };
            let keeps = [RESPONSE_STICKY, RESPONSE_SLIP];
            if keeps.contains(&all[wall.solid].collider.response) && wall.closing == 0.0 {
                continue;
            }
            let u = wall.normal.dot(wall.velocity(&params, &all, x));
            let (mut push, mut slack) = (0.0, 0.0);
            for (d, offset) in around(world, c) {
                let share = answers(&params, &[wall], offset);
                let there = xyz(row(world, "node", d, 0));
                let due = wall.lever(&params, offset) * (wall.normal.dot(there) - u);
                push += share * (due - (wall.normal.dot(here) - u));
                slack += share * (there.length() + here.length());
            }
            if push < -1e-5 * slack {
                last[k] = 0.0;
            }
        }
        let rows: Vec<_> = (0..3).map(|k| row(world, "hold", c, k)).chain([last]).collect();
        set_element(world, "hold", c, &rows);
    }
}

/// Free nodes around a held one: number, offset and weight.
pub(crate) fn answering(world: &World, c: usize, walls: &[Wall]) -> Vec<(usize, DVec3, f64)> {
    let free = around(world, c).into_iter().filter(|(d, _)| !is_held(world, *d));
    let weighed = free.map(|(d, offset)| (d, offset, answers(&world.params, walls, offset)));
    weighed.filter(|(_, _, weight)| *weight > 0.0).collect()
}

/// Weight of the free nodes around each held one.
pub(crate) fn weigh(world: &mut World) {
    for c in busy_cells(world) {
        if !is_held(world, c) {
            continue;
        }
        let walls: Vec<_> = hold(world, c).0.into_iter().flatten().collect();
        let mut rows: Vec<_> = (0..4).map(|k| row(world, "hold", c, k)).collect();
        rows[3][3] = answering(world, c, &walls).iter().map(|(_, _, weight)| weight).sum();
        set_element(world, "hold", c, &rows);
    }
}

/// Velocities of the free nodes with the inertia of those that follow them (`wgsl/mpm/move`).
pub(crate) fn moves(world: &mut World) {
    let params = world.params;
    let all = solids(world);
    for c in busy_cells(world) {
        let own = row(world, "node", c, 0);
        if is_held(world, c) {
            continue;
        }
        let mut pushes = Vec::new();
        if own[3] <= least_mass(&params) || hold(world, c).1 == 0.0 {
            keep(world, c, &pushes);
            continue;
        }
        let mut followers = Vec::new();
        let mut rubbing = 0.0;
        let (mut mass, mut momentum) = (own[3] * DMat3::IDENTITY, own[3] * xyz(own));
        let (mut normal, mut ahead, mut total) = (DVec3::ZERO, DVec3::ZERO, own[3]);
        let (mut limit, mut slope) = (0.0, DVec3::ZERO);
        for (d, away) in around(world, c) {
            if !is_held(world, d) {
                continue;
            }
            let (walls, sum) = hold(world, d);
            let walls: Vec<_> = walls.into_iter().flatten().collect();
            let (offset, there) = (-away, row(world, "node", d, 0));
            let share = answers(&params, &walls, offset);
            if share == 0.0 {
                continue;
            }
            let m = share / sum * there[3];
            let x = center(&params, coordinates(&params, d));
            let (a, b) = tie(world, &all, &walls, x, offset);
            let apart = b - xyz(there);
            mass += m * a.transpose() * a;
            momentum -= m * a.transpose() * apart;
            total += m;
            followers.push((m, x, offset, walls.clone(), a, apart));
            for wall in walls {
                let collider = &all[wall.solid].collider;
                let friction = f64::from(collider.damping);
                if collider.response != RESPONSE_SEPARATE || friction == 0.0 {
                    continue;
                }
                let part = friction * m * (1.0 - wall.lever(&params, offset));
                limit += part * wall.normal.dot(apart);
                slope += part * a.transpose() * wall.normal;
                normal += m * wall.normal;
                rubbing += m;
                let still = Wall { closing: 0.0, ..wall };
                ahead += m * still.velocity(&params, &all, x);
            }
        }
        if total == own[3] {
            keep(world, c, &pushes);
            continue;
        }
        let free = mass.inverse() * momentum;
        let mut v = free;
        if normal.length() > 0.0 {
            let (n, u) = (normal.normalize(), ahead / normal.length());
            let slip = (v - u) - n.dot(v - u) * n;
            let impulse = (limit + slope.dot(v)).max(0.0);
            v -= (impulse / (total * slip.length()).max(1e-20)).min(1.0) * slip;
        }
        let rubbed = total * (free - v);
        for (m, x, offset, walls, a, apart) in followers {
            // Constraint forces on the held node; each wall takes its part of what later ones leave.
            let mut force = m * (a * free + apart);
            for wall in walls.into_iter().rev() {
                let collider = &all[wall.solid].collider;
                let share = 1.0 - wall.lever(&params, offset);
                let part = if collider.response == RESPONSE_STICKY {
                    share * force
                } else {
                    share * wall.normal.dot(force) * wall.normal
                };
                force -= part;
                let rubs = collider.response == RESPONSE_SEPARATE && collider.damping > 0.0;
                let friction = if rubs { m / rubbing * rubbed } else { DVec3::ZERO };
                pushes.push((wall.solid, x, friction - part));
            }
        }
        keep(world, c, &pushes);
        set_element(world, "node", c, &[with_w(v, own[3])]);
    }
}

/// Velocities of the held nodes.
pub(crate) fn spread(world: &mut World) {
    let params = world.params;
    let all = solids(world);
    for c in busy_cells(world) {
        let own = row(world, "node", c, 0);
        if !is_held(world, c) {
            continue;
        }
        let mut pushes = Vec::new();
        if own[3] <= least_mass(&params) {
            keep(world, c, &pushes);
            continue;
        }
        let (walls, sum) = hold(world, c);
        let walls: Vec<_> = walls.into_iter().flatten().collect();
        let x = center(&params, coordinates(&params, c));
        let mut v = DVec3::ZERO;
        for (d, offset, share) in answering(world, c, &walls) {
            let (a, b) = tie(world, &all, &walls, x, offset);
            v += share / sum * (a * xyz(row(world, "node", d, 0)) + b);
        }
        if sum == 0.0 {
            v = xyz(own);
            for wall in walls {
                let u = Wall { closing: 0.0, ..wall }.velocity(&params, &all, x);
                let inward = (v - u).dot(wall.normal).min(0.0);
                let sticks = all[wall.solid].collider.response == RESPONSE_STICKY;
                let next = if sticks { u } else { v - inward * wall.normal };
                pushes.push((wall.solid, x, own[3] * (v - next)));
                v = next;
            }
        }
        keep(world, c, &pushes);
        set_element(world, "node", c, &[with_w(v, own[3])]);
    }
}

/// Keeps the impulses of a cell's nodes on solids at places, of up to three bodies.
fn keep(world: &mut World, c: usize, pushes: &[(usize, DVec3, DVec3)]) {
    if world.colliders.iter().all(|collider| collider.is_body == 0) {
        return;
    }
    let mut rows = [[0.0; 4]; 6];
    for (solid, x, impulse) in pushes {
        let body = posed(world, *solid);
        let number = (*solid + 1) as f64;
        let place = [0, 2, 4].into_iter().find(|k| [0.0, number].contains(&rows[*k][3]));
        let Some(k) = place.filter(|_| body.collider.is_body != 0) else { continue };
        let arm = displacement(&world.params, *x, body.position);
        rows[k] = with_w(xyz(rows[k]) + *impulse, number);
        rows[k + 1] = with_w(xyz(rows[k + 1]) + arm.cross(*impulse), 0.0);
    }
    set_element(world, "push", c, &rows);
}

/// Sums of these over the cells of a part, for each solid.
pub(crate) fn press(world: &mut World) {
    let parts = sums_of_solid(world);
    for part in 0..world.stage.element_count as usize {
        let (number, share) = ((part / parts + 1) as f64, part % parts);
        let mut sums = [[0.0; 4]; 2];
        let all = cells_around(world, part / parts);
        let own = all.into_iter().enumerate().filter(|(k, _)| k / 64 % parts == share);
        for c in own.filter_map(|(_, c)| c) {
            for k in
                [0, 2, 4].into_iter().filter(|k| row(world, "push", c, *k)[3].round() == number)
            {
                for (at, sum) in sums.iter_mut().enumerate() {
                    *sum = with_w(xyz(*sum) + xyz(row(world, "push", c, k + at)), 0.0);
                }
            }
        }
        set_element(world, "body_partial", part, &sums);
    }
}

/// Impulses on bodies, and as forces (`wgsl/body/receive`).
pub(crate) fn receive(world: &mut World) {
    for number in 0..world.params.counts.colliders as usize {
        let collider = world.colliders[number];
        if collider.is_body == 0 {
            continue;
        }
        let [impulse, twist] = [0, 1].map(|at| {
            let own = sums_of_solid(world);
            (number * own..(number + 1) * own)
                .map(|part| xyz(row(world, "body_partial", part, at)))
                .sum::<DVec3>()
        });
        let dt = f64::from(world.control.dt);
        let per_step = if dt > 0.0 { 1.0 / dt } else { 0.0 };
        for axis in 0..3 {
            world.body_force[number][axis] += per_step * impulse[axis];
            world.body_force[number][4 + axis] += per_step * twist[axis];
        }
        if collider.inverse_mass > 0.0 {
            let body = &mut world.bodies[number];
            let velocity = part(body, VELOCITY) + f64::from(collider.inverse_mass) * impulse;
            set(body, VELOCITY, velocity);
            let speed = velocity.length() as f32;
            world.control.max_signal_bits = world.control.max_signal_bits.max(speed.to_bits());
            turn(body, collider.inverse_inertia.as_dvec3(), twist);
        }
    }
}
