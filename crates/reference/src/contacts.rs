//! Contacts of rigid bodies (`wgsl/body/`; Catto 2005).

use glam::DVec3;
use meniscus_model::params::KIND_BOUNDARY;

use crate::World;
use crate::body::{Posed, VELOCITY, is_parked, members, part, posed, set, turn};
use crate::joints;
use crate::solid;
use crate::space::{displacement, driven_of, xyz};
use crate::world::is_kind;

/// No contact, or no particle.
pub(crate) const NONE: u32 = u32::MAX;
/// Share of an overlap that is resolved in a step, and the overlap that remains, in spacings.
const PARTING: f64 = 0.1;
const LEFT: f64 = 0.02;
/// Larger than any speed in m/s.
const FASTEST: f64 = 1e15;
/// Impacts slower than what gravity adds in this many steps do not rebound.
const SLOW: f64 = 4.0;
/// Cosine of the largest angle by which a plane may turn in a step and still be the same, and of that between normals of one
/// manifold.
const ALIKE: f64 = 0.9;
/// Cosine of the largest angle between a ball's lowest point and the particles that touch through it.
const AROUND: f64 = 0.7;
/// Manifolds of a free body.
const MANIFOLDS: usize = 8;
/// Lead of what carried an impulse in the last step, in spacings of depth and as a factor of squared distances.
const LEAD: f64 = 0.02;
const AHEAD: f64 = 1.1;
/// Depth within which contacts are of one manifold, and least distance of its points, in spacings.
const LEVEL: f64 = 0.2;
const APART: f64 = 0.5;
/// Steps of depths and squared distances, by the spacing.
const STEPS: f64 = 1000.0;
/// Colours of manifolds; those of the last may share bodies.
const COLOURS: u32 = 32;
/// Rounds of impacts, and iterations within a pair.
const ROUNDS: usize = 16;
const INNER: usize = 8;
/// Most iterations of contacts, and the change of velocity at which they end, relative to what gravity adds in a step and to a
/// spacing a step.
const ITERATIONS: usize = 60;
const ENOUGH: [f64; 2] = [1e-3, 1e-5];

/// Index among boundary particles, and solid, of a sorted slot that holds a boundary particle.
fn wall(world: &World, s: usize) -> Option<(u32, usize)> {
    let [id, who] = world.sorted_identity[s];
    is_kind([id, who], KIND_BOUNDARY)
        .then(|| (id - world.params.counts.first_wall, (who >> 16) as usize))
}

fn is_free(world: &World, number: usize) -> bool {
    world.colliders[number].inverse_mass > 0.0
}

/// Whether joints hold two solids together, which do not touch then.
fn are_held(world: &World, a: usize, b: usize) -> bool {
    let [a, b] = [a, b].map(|number| world.colliders[number].group);
    a != 0 && a == b
}

/// A solid that a particle may touch.
struct Candidate {
    gap: f64,
    normal: DVec3,
    other: u32,
}

/// Nearest particle of another free body.
pub(crate) fn near(world: &mut World) {
    world.find_pairs();
    for (s, k) in members(world) {
        let own = (world.sorted_identity[s][1] >> 16) as usize;
        let is_there = !is_parked(world, own);
        let others = world.pairs.of(s).iter().filter(|_| is_there).filter_map(|pair| {
            let (k, other) = wall(world, pair.j)?;
            let touches = other != own && is_free(world, other) && !are_held(world, own, other);
            touches.then_some((pair.r, k, other))
        });
        let nearest = others.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        world.contact_other[k] = match nearest {
            Some((_, k, other)) => [own as u32, other as u32, k, 1],
            None => [own as u32, NONE, NONE, 0],
        };
    }
}

fn spacing(world: &World) -> f64 {
    2.0 * f64::from(world.params.world.particle_radius)
}

/// Velocity in m/s below which an impact does not rebound.
fn slow(world: &World, body: usize) -> f64 {
    SLOW * f64::from(world.control.dt) * world.gravity_of_solid(body).length()
}

/// Contact of each particle of a free body.
pub(crate) fn contact(world: &mut World) {
    let solids: Vec<_> = (0..world.colliders.len()).map(|number| posed(world, number)).collect();
    for (s, k) in members(world) {
        let [own, nearest, through, near] = world.contact_other[k];
        let body = &solids[own as usize];
        let x = xyz(world.sorted_position[s]);
        let arm = x - body.position;
        let mut found = Candidate { gap: spacing(world), normal: DVec3::ZERO, other: NONE };
        let mut meet = |number: usize, face: usize| {
            let solid = &solids[number];
            // Of a ball by its centre, except beside what has several faces.
            let by_center = body.collider.ball > 0.0 && solid::walls(&solid.collider) == 1;
            let from = if by_center { DVec3::ZERO } else { arm };
            let contact = solid::contact(world, solid, face, x - arm + from);
            let place = place(world, own as usize, arm, contact.normal);
            let gap = contact.distance + (place - from).dot(contact.normal);
            if gap < found.gap && touches_there(world, own as usize, arm, contact.normal) {
                found = Candidate { gap, normal: contact.normal, other: number as u32 };
            }
        };
        if nearest != NONE {
            // A ball knows itself where it is touched; of two balls the first does.
            let other_is_ball = solids[nearest as usize].collider.ball > 0.0;
            if !other_is_ball || (body.collider.ball > 0.0 && own < nearest) {
                meet(nearest as usize, 0);
            }
        }
        let driven = driven_of(&world.params, world.params.counts.world_of_solid(own));
        for (number, solid) in
            solids.iter().enumerate().filter(|(number, _)| driven.contains(number))
        {
            if are_held(world, own as usize, number) || is_parked(world, own as usize) {
                continue;
            }
            for face in 0..solid::walls(&solid.collider) {
                meet(number, face);
            }
        }
        let dt = f64::from(world.control.dt);
        let (wanted, closing, hits) = match found.other {
            NONE => (0.0, 0.0, false),
            other => {
                let solid = &solids[other as usize];
                if body.collider.ball > 0.0 && dt > 0.0 && solid::walls(&solid.collider) == 1 {
                    // The line of centres when the ball arrives, which turns on the way.
                    let apart = displacement(&world.params, body.position, solid.position);
                    let v = body.velocity - solid.velocity - solid.angular_velocity.cross(apart);
                    let time = found.gap.max(0.0) / (-v.dot(found.normal)).max(1e-30);
                    let arrived = body.position + time.min(dt) * v;
                    found.normal = solid::contact(world, solid, 0, arrived).normal;
                }
                let place = place(world, own as usize, arm, found.normal);
                wanted(world, own as usize, [body, solid], body.position + place, &found)
            }
        };
        let carried = carried(world, k, &found);
        let first = carried.filter(|_| !hits).unwrap_or(DVec3::ZERO);
        let other = carried.map_or(0.0, |_| f64::from(found.other) + 1.0);
        let plane = found.normal.extend(wanted);
        let distances = [found.gap + dt * closing, found.gap, f64::from(u8::from(hits)), 0.0];
        let parts = [plane.to_array(), first.extend(other).to_array(), distances];
        world.contacts[k].copy_from_slice(&parts.concat());
        world.contact_other[k] = [own, found.other, through, near];
    }
}

/// The impulse of the last step in the axes of this step's plane, for this step's length, if the particle carried one with the same
/// solid.
fn carried(world: &World, k: usize, found: &Candidate) -> Option<DVec3> {
    let last = &world.contacts[k];
    let (plane, total, dt) = (part(last, 0), part(last, 4), last[11]);
    let same = found.other != NONE && last[7].round() == f64::from(found.other) + 1.0;
    if !same || plane.dot(found.normal) <= ALIKE || dt <= 0.0 {
        return None;
    }
    let pressed = total.dot(plane);
    let along = (total - pressed * plane).reject_from_normalized(found.normal);
    Some((f64::from(world.control.dt) / dt).min(1.0) * (pressed * found.normal + along))
}

/// Where a particle of a body touches a plane with this normal, from the body's centre: below the particle, or a ball's
/// own lowest point.
fn place(world: &World, own: usize, arm: DVec3, normal: DVec3) -> DVec3 {
    match world.colliders[own].ball {
        0.0 => arm - f64::from(world.params.world.body_depth) * normal,
        radius => -f64::from(radius) * normal,
    }
}

/// Whether a particle knows of that place: of a ball those around it do.
fn touches_there(world: &World, own: usize, arm: DVec3, normal: DVec3) -> bool {
    world.colliders[own].ball == 0.0 || arm.dot(normal) < -AROUND * arm.length()
}

/// Least normal velocity of the contact, the normal velocity now, and whether it is a fast impact.
fn wanted(
    world: &World,
    own: usize,
    solids: [&Posed; 2],
    x: DVec3,
    found: &Candidate,
) -> (f64, f64, bool) {
    let dt = f64::from(world.control.dt);
    if dt == 0.0 {
        // Time does not go on: nothing is stopped.
        return (-FASTEST, 0.0, false);
    }
    let left = LEFT * spacing(world);
    let [a, b] = solids.map(|solid| {
        let arm = displacement(&world.params, x, solid.position);
        solid.velocity + solid.angular_velocity.cross(arm)
    });
    let (closing, slow) = ((a - b).dot(found.normal), slow(world, own));
    let wanted =
        if found.gap < 0.0 { PARTING * (-found.gap - left).max(0.0) / dt } else { -found.gap / dt };
    (wanted, closing, found.gap + dt * closing < 0.0 && closing < -slow)
}

/// Groups of contacts of each free body with one solid in one direction, by at most four of their points.
pub(crate) fn manifold(world: &mut World) {
    let spacing = spacing(world);
    for number in world.params.counts.driven as usize..world.params.counts.colliders as usize {
        let collider = world.colliders[number];
        let first = collider.first_particle as usize;
        let touching = (first..first + collider.particle_count as usize)
            .filter(|k| world.contact_other[*k][1] != NONE);
        let mut rest: Vec<usize> = touching.collect();
        let normal = |k: usize| part(&world.contacts[k], 0);
        let other = |k: usize| world.contact_other[k][1];
        let was = |k: usize| world.contacts[k][7] != 0.0;
        let ends = |k: usize| world.contacts[k][8];
        let x = |k: usize| xyz(world.model_position[k]);
        // Of equals, up to rounding, the first.
        let best = |all: Vec<(f64, usize)>| {
            all.into_iter()
                .map(|(value, k)| ((STEPS * value).round(), k))
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
                .map(|found| found.1)
        };
        let mut found = Vec::new();
        for _ in 0..MANIFOLDS {
            let depth = |k: usize| -ends(k) / spacing + if was(k) { LEAD } else { 0.0 };
            let Some(deepest) = best(rest.iter().map(|k| (depth(*k), *k)).collect()) else { break };
            let (group, others) = rest.into_iter().partition(|k| {
                other(*k) == other(deepest) && normal(*k).dot(normal(deepest)) > ALIKE
            });
            rest = others;
            let mut points = vec![deepest];
            let level = ends(deepest).max(0.0) + LEVEL * spacing;
            let group: Vec<usize> = group;
            let near: Vec<_> = group.into_iter().filter(|k| ends(*k) <= level).collect();
            while points.len() < 4 && collider.ball == 0.0 {
                let square = |k: usize| -> Option<f64> {
                    let away = x(k) - x(points[0]);
                    let Some(second) = points.get(1) else { return Some(away.length_squared()) };
                    let line = x(*second) - x(points[0]);
                    let across = line.cross(away);
                    let beyond = points.get(2).is_none_or(|third| {
                        across.dot(line.cross(x(*third) - x(points[0]))) <= 0.0
                    });
                    beyond.then(|| across.length_squared() / line.length_squared())
                };
                let far = near.iter().filter_map(|k| Some((square(*k)?, *k)));
                let far = far.filter(|(square, _)| *square > (APART * spacing).powi(2));
                let favoured = far.map(|(square, k)| {
                    (square / (spacing * spacing) * if was(k) { AHEAD } else { 1.0 }, k)
                });
                let Some(next) = best(favoured.collect()) else { break };
                points.push(next);
            }
            found.push((other(deepest), points));
        }
        for m in 0..MANIFOLDS {
            let mut row = [number as u32, NONE, 0, 0, NONE, NONE, NONE, NONE];
            if let Some((other, points)) = found.get(m) {
                (row[1], row[2]) = (*other, points.len() as u32);
                for (place, point) in row[4..].iter_mut().zip(points) {
                    *place = *point as u32;
                }
            }
            world.manifolds[MANIFOLDS * number + m] = row;
        }
    }
}

/// A point of a manifold: its particle, the solids, and vectors to it from their centres.
#[derive(Clone, Copy)]
struct Point {
    k: usize,
    sides: [(usize, DVec3); 2],
    normal: DVec3,
}

fn points(world: &World, manifold: &[u32; 8]) -> Vec<Point> {
    let [own, other] = [manifold[0] as usize, manifold[1] as usize];
    let (a, b) = (posed(world, own), posed(world, other));
    let point = |k: &u32| {
        let k = *k as usize;
        let normal = part(&world.contacts[k], 0);
        let arm = a.rotation * xyz(world.model_position[k]);
        let arm = place(world, own, arm, normal);
        let apart = displacement(&world.params, a.position, b.position);
        Point { k, sides: [(own, arm), (other, arm + apart)], normal }
    };
    manifold[4..4 + manifold[2] as usize].iter().map(point).collect()
}

fn approach(world: &World, point: &Point) -> DVec3 {
    let [a, b] = point.sides.map(|(number, arm)| {
        let solid = posed(world, number);
        solid.velocity + solid.angular_velocity.cross(arm)
    });
    a - b
}

/// Relative velocity for a unit impulse, both along a direction.
fn yields(world: &World, point: &Point, direction: DVec3) -> f64 {
    let of = |(number, arm): (usize, DVec3)| {
        let Posed { collider, rotation, .. } = posed(world, number);
        let local = rotation.inverse() * arm.cross(direction);
        let spin = rotation * (collider.inverse_inertia.as_dvec3() * local);
        f64::from(collider.inverse_mass) + spin.cross(arm).dot(direction)
    };
    point.sides.map(of).iter().sum()
}

fn act(world: &mut World, point: &Point, impulse: DVec3) {
    for ((number, arm), impulse) in point.sides.into_iter().zip([impulse, -impulse]) {
        let collider = world.colliders[number];
        if is_free(world, number) {
            let body = &mut world.bodies[number];
            let velocity = part(body, VELOCITY) + f64::from(collider.inverse_mass) * impulse;
            set(body, VELOCITY, velocity);
            turn(body, collider.inverse_inertia.as_dvec3(), arm.cross(impulse));
        }
    }
}

/// The total impulse with which a point has a normal velocity, from the total so far; its change acts on the bodies.
fn solved(world: &mut World, point: &Point, wanted: f64, before: DVec3) -> DVec3 {
    let n = point.normal;
    let relative = approach(world, point);
    let (pressed, v_n) = (before.dot(n), relative.dot(n));
    let normal = (pressed + (wanted - v_n) / yields(world, point, n)).max(0.0);
    let slip = relative - v_n * n;
    let mut along = before - pressed * n;
    if slip.length() > 0.0 {
        along -= slip / yields(world, point, slip.normalize());
    }
    let friction = point.sides.map(|(number, _)| f64::from(world.colliders[number].friction));
    let total = normal * n + along.clamp_length_max(friction[0].max(friction[1]) * normal);
    act(world, point, total - before);
    total
}

/// Speed in m/s after an impact on a wall towards which bodies fall: the energy v²/2 + g (gap + Δt v) at the end of the step is e² times
/// that at its start.
fn rebound(e: f64, speed: f64, g: f64, gap: f64, dt: f64) -> f64 {
    let start = (speed - g * dt).max(0.0);
    let height = g * gap.max(0.0);
    // v²/2 + g Δt v + height − e² (start²/2 + height) = 0.
    let (half, rest) = (g * dt, 2.0 * (height - e * e * (0.5 * start * start + height)));
    ((half * half - rest).max(0.0).sqrt() - half).max(0.0)
}

/// The impact of a pair, and whether there is one.
fn hit(world: &mut World, manifold: &[u32; 8]) -> bool {
    let bounce = [0, 1].map(|side| world.colliders[manifold[side] as usize].restitution);
    let restitution = f64::from(bounce[0].max(bounce[1]));
    if restitution == 0.0 {
        return false;
    }
    let dt = f64::from(world.control.dt);
    let mut hits = Vec::new();
    for point in points(world, manifold) {
        let v_n = approach(world, &point).dot(point.normal);
        if world.contacts[point.k][9] + dt * v_n < 0.0 && v_n < -slow(world, manifold[0] as usize) {
            world.contacts[point.k][10] = 1.0;
            let by_wall = manifold[1] < world.params.counts.driven;
            let g = -world.gravity_of_solid(manifold[0] as usize).dot(point.normal);
            let g = if by_wall { g.max(0.0) } else { 0.0 };
            let wanted = rebound(restitution, -v_n, g, world.contacts[point.k][9], dt);
            if wanted > 0.0 {
                hits.push((point, wanted, DVec3::ZERO));
            }
        }
    }
    for _ in 0..INNER {
        for (point, wanted, total) in &mut hits {
            *total = solved(world, point, *wanted, *total);
        }
    }
    !hits.is_empty()
}

/// An iteration of a pair's contacts: the largest change of velocity in m/s.
fn press(world: &mut World, manifold: &[u32; 8]) -> f64 {
    let mut most: f64 = 0.0;
    for point in points(world, manifold) {
        let before = part(&world.contacts[point.k], 4);
        let total = solved(world, &point, world.contacts[point.k][3], before);
        let who = f64::from(manifold[1]) + 1.0;
        world.contacts[point.k][4..8].copy_from_slice(&total.extend(who).to_array());
        most = most.max((total - before).length() * yields(world, &point, point.normal));
    }
    most
}

/// Colour of what holds these solids, by which they are marked.
fn colour_of(world: &mut World, sides: &[usize]) -> u32 {
    let driven = world.params.counts.driven as usize;
    let sides = sides.iter().filter(|side| **side >= driven);
    let used = sides.clone().map(|side| world.body_colours[*side]).fold(0, |all, one| all | one);
    let colour = (!used).trailing_zeros().min(COLOURS - 1);
    if colour < COLOURS - 1 {
        sides.for_each(|side| world.body_colours[*side] |= 1 << colour);
    }
    colour
}

/// A joint or a manifold.
enum Link {
    Joint(usize),
    Manifold([u32; 8]),
}

/// Impacts, and then joints and contacts, of all pairs, in the order of their colours.
pub(crate) fn solve(world: &mut World) {
    let dt = f64::from(world.control.dt);
    if dt == 0.0 {
        return;
    }
    let driven = world.params.counts.driven as usize;
    world.body_colours[driven..].fill(0);
    let mut links = Vec::new();
    for j in 0..world.params.counts.joints as usize {
        let sides: Vec<_> = joints::sides(world, j).into_iter().flatten().collect();
        let colour = colour_of(world, &sides);
        world.joints[j][3] = colour.into();
        links.push((colour, Link::Joint(j)));
    }
    let mut order = Vec::new();
    for m in MANIFOLDS * driven..MANIFOLDS * world.params.counts.colliders as usize {
        let [own, other, count, ..] = world.manifolds[m];
        if count == 0 {
            continue;
        }
        let colour = colour_of(world, &[own as usize, other as usize]);
        world.manifolds[m][3] = colour;
        order.push((colour, m));
        links.push((colour, Link::Manifold(world.manifolds[m])));
    }
    order.sort_unstable();
    links.sort_by_key(|(colour, _)| *colour);
    for (place, (_, m)) in world.manifold_order.iter_mut().zip(&order) {
        *place = *m as u32;
    }
    let manifolds: Vec<_> = order.iter().map(|(_, m)| world.manifolds[*m]).collect();
    for _ in 0..ROUNDS {
        let hits = manifolds.iter().filter(|manifold| hit(world, manifold)).count();
        if hits == 0 {
            break;
        }
    }
    for (_, link) in &links {
        match link {
            Link::Joint(j) => joints::begin(world, *j),
            Link::Manifold(manifold) => {
                for point in points(world, manifold) {
                    act(world, &point, part(&world.contacts[point.k], 4));
                }
            }
        }
    }
    let gravity = world.params.world.gravity.as_dvec3().length();
    let enough = ENOUGH[0] * dt * gravity + ENOUGH[1] * spacing(world) / dt;
    for _ in 0..ITERATIONS {
        let changes = links.iter().map(|(_, link)| match link {
            Link::Joint(j) => joints::hold(world, *j),
            Link::Manifold(manifold) => press(world, manifold),
        });
        if changes.fold(0.0, f64::max) <= enough {
            break;
        }
    }
    for point in manifolds.iter().flat_map(|manifold| points(world, manifold)).collect::<Vec<_>>() {
        let contact = &mut world.contacts[point.k];
        // What an impact needs is no start for the next step.
        contact[11] = if contact[10] == 0.0 { dt } else { 0.0 };
    }
    for j in 0..world.params.counts.joints as usize {
        joints::finish(world, j);
    }
}
