//! Contacts of rigid bodies (`wgsl/body/`; Tonge, Benevolenski, Voroshilov 2012).

use glam::DVec3;
use meniscus_model::params::KIND_BOUNDARY;

use crate::World;
use crate::body::{MOMENTUM, Posed, SPIN, VELOCITY, members, part, posed, set};
use crate::solid;
use crate::space::{displacement, xyz};
use crate::world::is_kind;

/// No contact, or no particle that transmits the reaction.
pub(crate) const NONE: u32 = u32::MAX;
/// Share of an overlap that is resolved in a step, and the overlap that remains, in spacings.
const PARTING: f64 = 0.1;
const LEFT: f64 = 0.02;
/// Larger than any speed in m/s.
const FASTEST: f64 = 1e15;
/// Impacts slower than what gravity adds in this many steps do not rebound.
const SLOW: f64 = 4.0;
/// Cosine of the largest angle by which a plane may turn in a step and still be the same.
const SAME: f64 = 0.9;
/// Cosine of the largest angle between a ball's lowest point and the particles that touch through it.
const AROUND: f64 = 0.7;

/// Index among boundary particles, and solid, of a sorted slot that holds a boundary particle.
fn wall(world: &World, s: usize) -> Option<(u32, usize)> {
    let [id, who] = world.sorted_identity[s];
    is_kind([id, who], KIND_BOUNDARY)
        .then(|| (id - world.params.counts.first_wall, (who >> 16) as usize))
}

fn is_free(world: &World, number: usize) -> bool {
    world.colliders[number].inverse_mass > 0.0
}

/// A solid that a particle may touch.
struct Candidate {
    gap: f64,
    normal: DVec3,
    other: [u32; 2],
}

/// Nearest particle of another free body.
pub(crate) fn near(world: &mut World) {
    world.find_pairs();
    for (s, k) in members(world) {
        let own = (world.sorted_identity[s][1] >> 16) as usize;
        let others = world.pairs.of(s).iter().filter_map(|pair| {
            let (k, other) = wall(world, pair.j)?;
            (other != own && is_free(world, other)).then_some((pair.r, k, other))
        });
        let nearest = others.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        world.contact_other[k] = match nearest {
            Some((_, k, other)) => [own as u32, other as u32, k, 1],
            None => [own as u32, NONE, NONE, 0],
        };
    }
}

/// Contact of each particle of a free body.
pub(crate) fn contact(world: &mut World) {
    let driven = world.params.counts.driven as usize;
    let solids: Vec<_> = (0..world.colliders.len()).map(|number| posed(world, number)).collect();
    for (s, k) in members(world) {
        let [own, nearest, through, near] = world.contact_other[k];
        let x = xyz(world.sorted_position[s]);
        let arm = x - solids[own as usize].position;
        let reach = 2.0 * f64::from(world.params.world.particle_radius);
        let mut found = Candidate { gap: reach, normal: DVec3::ZERO, other: [NONE; 2] };
        let mut meet = |solid: &Posed, face: usize, other: [u32; 2]| {
            let contact = solid::contact(world, solid, face, x);
            let Some(place) = place(world, own as usize, arm, contact.normal) else { return };
            let gap = contact.distance + (place - arm).dot(contact.normal);
            if gap < found.gap {
                found = Candidate { gap, normal: contact.normal, other };
            }
        };
        if nearest != NONE {
            meet(&solids[nearest as usize], 0, [nearest, through]);
        }
        for (number, solid) in solids.iter().enumerate().take(driven) {
            for face in 0..solid::walls(&solid.collider) {
                meet(solid, face, [number as u32, NONE]);
            }
        }
        let [other, through] = found.other;
        let (wanted, hits) = match other {
            NONE => (0.0, false),
            other => {
                let place = place(world, own as usize, arm, found.normal);
                let x = solids[own as usize].position + place.expect("it was found there");
                wanted(world, [&solids[own as usize], &solids[other as usize]], x, &found)
            }
        };
        let first = first_impulse(world, k, &found);
        // What an impact needs is no start for the next step.
        let kept = if hits { 0.0 } else { f64::from(world.control.dt) };
        let plane = found.normal.extend(wanted);
        let parts = [plane, first.extend(0.0), first.extend(kept)].map(|part| part.to_array());
        world.contacts[k].copy_from_slice(&parts.concat());
        world.contact_other[k] = [own, other, through, near];
    }
}

/// Impulse with which iterations start: that of the last step if the particle touches the same solid as then.
fn first_impulse(world: &World, k: usize, found: &Candidate) -> DVec3 {
    let last = &world.contacts[k];
    let (plane, total, dt) = (part(last, 0), part(last, 4), last[11]);
    let same = found.other[0] != NONE && last[7].round() == f64::from(found.other[0]) + 1.0;
    if !same || plane.dot(found.normal) <= SAME || dt <= 0.0 {
        return DVec3::ZERO;
    }
    let pressed = total.dot(plane);
    let along = (total - pressed * plane).reject_from_normalized(found.normal);
    (f64::from(world.control.dt) / dt).min(1.0) * (pressed * found.normal + along)
}

/// Where a particle of a body touches a plane with this normal, from the body's centre: below the particle, or a ball's
/// own lowest point, of which only the particles around it know.
fn place(world: &World, own: usize, arm: DVec3, normal: DVec3) -> Option<DVec3> {
    let collider = world.colliders[own];
    if collider.ball == 0.0 {
        return Some(arm - f64::from(world.params.world.body_depth) * normal);
    }
    let around = arm.dot(normal) < -AROUND * arm.length();
    around.then(|| -f64::from(collider.ball) * normal)
}

/// Least normal velocity after the contact, and whether it is a fast impact.
fn wanted(world: &World, solids: [&Posed; 2], x: DVec3, found: &Candidate) -> (f64, bool) {
    let dt = f64::from(world.control.dt);
    if dt == 0.0 {
        // Time does not go on: nothing is stopped.
        return (-FASTEST, false);
    }
    let left = LEFT * 2.0 * f64::from(world.params.world.particle_radius);
    let [a, b] = solids.map(|solid| {
        let arm = displacement(&world.params, x, solid.position);
        solid.velocity + solid.angular_velocity.cross(arm)
    });
    let approach = (a - b).dot(found.normal);
    let wanted =
        if found.gap < 0.0 { PARTING * (-found.gap - left).max(0.0) / dt } else { -found.gap / dt };
    let slow = SLOW * dt * world.params.world.gravity.as_dvec3().length();
    let bounce = solids.map(|solid| f64::from(solid.collider.restitution));
    if found.gap + dt * approach < 0.0 && approach < -slow {
        return (wanted.max(-bounce[0].max(bounce[1]) * approach), true);
    }
    (wanted, false)
}

/// Particles that touch through each particle of a free body.
pub(crate) fn partners(world: &mut World) {
    world.find_pairs();
    for (s, own) in members(world) {
        let chose = |k: &u32| world.contact_other[*k as usize][2] == own as u32;
        let others = world.pairs.of(s).iter().filter_map(|pair| {
            let (k, other) = wall(world, pair.j)?;
            is_free(world, other).then_some(k)
        });
        let mut found: Vec<u32> = others.filter(chose).collect();
        found.sort_unstable();
        found.resize(8, NONE);
        world.partners[own].copy_from_slice(&found);
    }
}

/// Whether the contact of particle k is known to both sides.
fn stands(world: &World, k: usize) -> bool {
    match world.contact_other[k] {
        [_, NONE, ..] => false,
        [_, _, NONE, _] => true,
        [_, _, through, _] => world.partners[through as usize].contains(&(k as u32)),
    }
}

/// Vectors from the centres of both solids to the contact point of particle k.
fn arms(world: &World, k: usize) -> [DVec3; 2] {
    let [own, other, ..] = world.contact_other[k];
    let solid = posed(world, own as usize);
    let arm = solid.rotation * xyz(world.model_position[k]);
    let place = place(world, own as usize, arm, part(&world.contacts[k], 0)).unwrap_or(arm);
    let center = posed(world, other as usize).position;
    [place, place + displacement(&world.params, solid.position, center)]
}

/// An iteration of all contacts.
pub(crate) fn impulse(world: &mut World) {
    let update = |world: &World, k: usize| {
        let [own, other, ..] = world.contact_other[k].map(|number| number as usize);
        let n = part(&world.contacts[k], 0);
        let arms = arms(world, k);
        let solids = [posed(world, own), posed(world, other)];
        let velocity =
            |side: usize| solids[side].velocity + solids[side].angular_velocity.cross(arms[side]);
        let relative = velocity(0) - velocity(1);
        let yielding = |direction: DVec3| -> f64 {
            let of = |(side, number): (usize, usize)| {
                let Posed { collider, rotation, .. } = solids[side];
                let local = rotation.inverse() * arms[side].cross(direction);
                let spin = rotation * (collider.inverse_inertia.as_dvec3() * local);
                let turning = spin.cross(arms[side]).dot(direction);
                f64::from(world.body_touches[number]) * (f64::from(collider.inverse_mass) + turning)
            };
            [(0, own), (1, other)].into_iter().map(of).sum()
        };
        let total = part(&world.contacts[k], 4);
        let (before, v_n) = (total.dot(n), relative.dot(n));
        let normal = (before + (world.contacts[k][3] - v_n) / yielding(n)).max(0.0);
        let slip = relative - v_n * n;
        let mut along = total - before * n;
        if slip.length() > 0.0 {
            along -= slip / yielding(slip.normalize());
        }
        let friction = |solid: &Posed| f64::from(solid.collider.friction);
        let most = friction(&solids[0]).max(friction(&solids[1])) * normal;
        normal * n + along.clamp_length_max(most)
    };
    let first = (world.params.counts.walls - world.stage.element_count) as usize;
    let stands = (first..world.params.counts.walls as usize).filter(|k| stands(world, *k));
    let totals: Vec<_> = stands.map(|k| (k, update(world, k))).collect();
    for (k, total) in totals {
        let kept = world.contacts[k][11];
        let change = total - part(&world.contacts[k], 4);
        let who = f64::from(world.contact_other[k][1]) + 1.0;
        world.contacts[k][4..].copy_from_slice(
            &[total.extend(who).to_array(), change.extend(kept).to_array()].concat(),
        );
    }
}

/// Whether there are contacts to iterate on.
pub(crate) fn touch(world: &mut World) {
    let bodies = world.params.counts.colliders as usize;
    let depth = u32::from(world.body_touches[..bodies].iter().any(|count| *count > 0));
    (world.contact_dispatch[2], world.contact_dispatch[5]) = (depth, depth);
}

/// Applies an iteration's changes to each body, or the impulses with which iterations start.
pub(crate) fn apply(world: &mut World) {
    for number in 0..world.params.counts.colliders as usize {
        let collider = world.colliders[number];
        let (mut impulse, mut twist, mut count) = (DVec3::ZERO, DVec3::ZERO, 0);
        let first = collider.first_particle as usize;
        let own = if is_free(world, number) { collider.particle_count as usize } else { 0 };
        let change = |k: usize| part(&world.contacts[k], 8);
        for k in first..first + own {
            if stands(world, k) {
                impulse += change(k);
                twist += arms(world, k)[0].cross(change(k));
                count += 1;
            }
            let others = world.partners[k].iter().filter(|other| **other != NONE);
            for other in others.map(|other| *other as usize) {
                impulse -= change(other);
                twist -= arms(world, other)[1].cross(change(other));
                count += 1;
            }
        }
        world.body_touches[number] = count;
        if is_free(world, number) {
            let rotation = posed(world, number).rotation;
            let body = &mut world.bodies[number];
            let momentum = part(body, MOMENTUM) + twist;
            let velocity = part(body, VELOCITY) + f64::from(collider.inverse_mass) * impulse;
            set(body, VELOCITY, velocity);
            set(body, MOMENTUM, momentum);
            let local = rotation.inverse() * momentum;
            set(body, SPIN, rotation * (collider.inverse_inertia.as_dvec3() * local));
        }
    }
}
