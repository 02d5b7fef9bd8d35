//! Joints of bodies, and mooring lines (`wgsl/common/joints.wgsl`).

use glam::{DMat3, DQuat, DVec3};
use meniscus_model::joints::catenary;
use meniscus_model::params::{
    JOINT_BALL, JOINT_FIXED, JOINT_HINGE, JOINT_MOORING, JOINT_SLIDER, JOINT_SPAN,
};

use crate::World;
use crate::body::{VELOCITY, drift_freely, part, posed, rotation, set, set_rotation, turn};
use crate::integrate::is_settling;
use crate::space::displacement;

/// Offsets of the members of a joint (`meniscus_model::params::Joint`).
const WHO: usize = 0;
const ANCHOR_A: usize = 4;
const ANCHOR_B: usize = 8;
const AXIS_A: usize = 12;
const AXIS_B: usize = 16;
const TURN: usize = 20;
const BOUNDS: usize = 24;
const PUSH: usize = 28;
const TWIST: usize = 32;
const ALONG: usize = 36;
const IMPULSE: usize = 40;
const ANGULAR_IMPULSE: usize = 44;
/// Beyond any angle, way or length.
const FREE: f64 = 1e29;

/// A body's place and velocities; the world's is at rest.
#[derive(Clone, Copy)]
struct Place {
    position: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    spin: DVec3,
}

const STILL: Place = Place {
    position: DVec3::ZERO,
    rotation: DQuat::IDENTITY,
    velocity: DVec3::ZERO,
    spin: DVec3::ZERO,
};

/// Solids that a joint holds; `None` is the world.
type Sides = [Option<usize>; 2];

pub(crate) fn sides(world: &World, j: usize) -> Sides {
    let joint = &world.joints[j];
    [1, 2].map(|at| (joint[WHO + at] >= 0.0).then_some(joint[WHO + at] as usize))
}

fn kind(world: &World, j: usize) -> u32 {
    world.joints[j][WHO] as u32
}

fn now(world: &World, side: Option<usize>) -> Place {
    side.map_or(STILL, |number| {
        let solid = posed(world, number);
        Place {
            position: solid.position,
            rotation: solid.rotation,
            velocity: solid.velocity,
            spin: solid.angular_velocity,
        }
    })
}

/// After a whole step with the velocities of now.
fn end(world: &World, side: Option<usize>) -> Place {
    let Some(number) = side else { return STILL };
    let dt = f64::from(world.control.dt);
    let mut body = world.bodies[number];
    let collider = &world.colliders[number];
    if collider.inverse_mass == 0.0 {
        let spin = now(world, side).spin;
        let place = part(&body, 0) + dt * part(&body, VELOCITY);
        set(&mut body, 0, place);
        let next = DQuat::from_scaled_axis(dt * spin) * rotation(&body);
        set_rotation(&mut body, next);
    } else if !is_settling(world) {
        drift_freely(&mut body, collider.inverse_inertia.as_dvec3(), dt);
    }
    Place { position: part(&body, 0), rotation: rotation(&body), ..now(world, side) }
}

/// Both sides at one time.
struct Pair {
    places: [Place; 2],
    /// From the second body's point to the first's.
    apart: DVec3,
    axis: DVec3,
    /// Angle, way or length.
    way: f64,
    /// Rotation of the first body from where it should be.
    tilt: DVec3,
}

fn pair(world: &World, j: usize, places: [Place; 2]) -> Pair {
    let joint = &world.joints[j];
    let [a, b] = places;
    let apart = displacement(&world.params, a.position, b.position)
        + a.rotation * part(joint, ANCHOR_A)
        - b.rotation * part(joint, ANCHOR_B);
    let axis = b.rotation * part(joint, AXIS_B);
    // The rotation by which the first body is off, the short way round.
    let off = a.rotation * (b.rotation * DQuat::from_slice(&joint[TURN..])).inverse();
    let off = if off.w < 0.0 { -off } else { off };
    let (axis, way, tilt) = match joint[WHO] as u32 {
        JOINT_BALL => (axis, 0.0, DVec3::ZERO),
        JOINT_HINGE => {
            let angle = 2.0 * off.xyz().dot(axis).atan2(off.w);
            (axis, angle, axis.cross(a.rotation * part(joint, AXIS_A)))
        }
        JOINT_SLIDER | JOINT_FIXED => (axis, axis.dot(apart), 2.0 * off.xyz()),
        _ => (apart.try_normalize().unwrap_or(DVec3::Y), apart.length(), DVec3::ZERO),
    };
    Pair { places, apart, axis, way, tilt }
}

fn pair_now(world: &World, j: usize) -> Pair {
    pair(world, j, sides(world, j).map(|side| now(world, side)))
}

fn pair_at_end(world: &World, j: usize) -> Pair {
    pair(world, j, sides(world, j).map(|side| end(world, side)))
}

/// Vectors from the centres to where a joint pulls.
fn arms(world: &World, j: usize, now: &Pair) -> [DVec3; 2] {
    let joint = &world.joints[j];
    let first = now.places[0].rotation * part(joint, ANCHOR_A);
    let second = now.places[1].rotation * part(joint, ANCHOR_B);
    [first, if kind(world, j) >= JOINT_SPAN { second } else { second + now.apart }]
}

fn strike(world: &mut World, side: Option<usize>, impulse: DVec3, twist: DVec3) {
    let Some(number) = side else { return };
    let collider = world.colliders[number];
    if collider.inverse_mass > 0.0 {
        let body = &mut world.bodies[number];
        let velocity = part(body, VELOCITY) + f64::from(collider.inverse_mass) * impulse;
        set(body, VELOCITY, velocity);
        turn(body, collider.inverse_inertia.as_dvec3(), twist);
    }
}

fn pull(world: &mut World, j: usize, arms: [DVec3; 2], impulse: DVec3) {
    let [a, b] = sides(world, j);
    strike(world, a, impulse, arms[0].cross(impulse));
    strike(world, b, -impulse, -arms[1].cross(impulse));
}

fn twist(world: &mut World, j: usize, twist: DVec3) {
    let [a, b] = sides(world, j);
    strike(world, a, DVec3::ZERO, twist);
    strike(world, b, DVec3::ZERO, -twist);
}

/// Angular velocity for a unit angular impulse, and velocity of the point at `arm` for a unit impulse there.
fn mobility(world: &World, side: Option<usize>, arm: DVec3) -> [DMat3; 2] {
    let Some(number) = side else { return [DMat3::ZERO; 2] };
    let solid = posed(world, number);
    let mass = f64::from(solid.collider.inverse_mass);
    if mass == 0.0 {
        return [DMat3::ZERO; 2];
    }
    let axes = DMat3::from_quat(solid.rotation);
    let inertia = DMat3::from_diagonal(solid.collider.inverse_inertia.as_dvec3());
    let angular = axes * inertia * axes.transpose();
    let cross = DMat3::from_cols(arm.cross(DVec3::X), arm.cross(DVec3::Y), arm.cross(DVec3::Z));
    [angular, DMat3::from_diagonal(DVec3::splat(mass)) + cross.transpose() * angular * cross]
}

/// x with k x = b, both across the unit vector n if it is not 0.
fn across(k: DMat3, n: DVec3, b: DVec3) -> DVec3 {
    let size = k.x_axis.x + k.y_axis.y + k.z_axis.z;
    if size <= 0.0 {
        return DVec3::ZERO;
    }
    let outer = DMat3::from_cols(n * n.x, n * n.y, n * n.z);
    let rest = DMat3::IDENTITY - outer;
    let k = rest * k * rest + outer * size + DMat3::IDENTITY * (1e-6 * size);
    rest * (k.inverse() * b)
}

fn limited(world: &World, j: usize, way: f64, k: f64) -> f64 {
    let joint = &world.joints[j];
    let rate = 1.0 / (f64::from(world.control.dt) * k);
    let up = joint[ALONG] + rate * (joint[BOUNDS] - way);
    let down = joint[ALONG] + rate * (joint[BOUNDS + 1] - way);
    if up > 0.0 { up } else { down.min(0.0) }
}

/// The impulses of the last step; of mooring lines, of their weight.
pub(crate) fn begin(world: &mut World, j: usize) {
    let dt = f64::from(world.control.dt);
    let last = world.joints[j][PUSH + 3];
    let share = if last > 0.0 { (dt / last).min(1.0) } else { 0.0 };
    for at in [PUSH, TWIST, ALONG] {
        world.joints[j][at..at + 3].iter_mut().for_each(|part| *part *= share);
    }
    let pair = pair_now(world, j);
    let arms = arms(world, j, &pair);
    let kind = kind(world, j);
    if kind == JOINT_MOORING {
        let up = -world.params.world.gravity.as_dvec3().normalize();
        let rise = pair.apart.dot(up);
        let level = pair.apart - rise * up;
        let joint = &mut world.joints[j];
        let [along, down] = catenary(level.length(), rise, joint[ANCHOR_A + 3]);
        let weight = joint[AXIS_B + 3];
        let force = -weight * (along * level.normalize_or_zero() + down * up);
        joint[PUSH..PUSH + 3].copy_from_slice(&(dt * force).to_array());
    }
    if kind >= JOINT_SPAN && last == 0.0 {
        world.joints[j][TWIST + 3] = pair.way;
    }
    let (push, turning) = totals(world, j, pair.axis);
    pull(world, j, arms, push);
    twist(world, j, turning);
}

/// Impulse at its point and angular impulse that a joint carries.
fn totals(world: &World, j: usize, axis: DVec3) -> (DVec3, DVec3) {
    let joint = &world.joints[j];
    let axial = joint[ALONG..ALONG + 3].iter().sum::<f64>() * axis;
    let (push, twist) = (part(joint, PUSH), part(joint, TWIST));
    match kind(world, j) {
        JOINT_HINGE => (push, twist + axial),
        _ => (push + axial, twist),
    }
}

/// An iteration of a joint: the largest change of velocity in m/s.
pub(crate) fn hold(world: &mut World, j: usize) -> f64 {
    let dt = f64::from(world.control.dt);
    let (kind, pair) = (kind(world, j), pair_now(world, j));
    let (n, arms) = (pair.axis, arms(world, j, &pair));
    let mobilities = [0, 1].map(|side| mobility(world, sides(world, j)[side], arms[side]));
    let angular = mobilities[0][0] + mobilities[1][0];
    let linear = mobilities[0][1] + mobilities[1][1];
    let is_limited = world.joints[j][BOUNDS] > -FREE || world.joints[j][BOUNDS + 1] < FREE;
    let mut most: f64 = 0.0;
    if kind >= JOINT_SPAN {
        let k = n.dot(linear * n);
        let joint = &world.joints[j];
        let (stiffness, damping) = (joint[ANCHOR_B + 3], joint[AXIS_A + 3]);
        if stiffness > 0.0 || damping > 0.0 {
            let way = pair_at_end(world, j).way;
            let joint = &mut world.joints[j];
            let mean = (way + 2.0 * pair.way + joint[TWIST + 3]) / 4.0;
            let force = -stiffness * (mean - joint[ANCHOR_A + 3]) - damping * (way - pair.way) / dt;
            let change = dt * force - joint[ALONG + 2];
            let change = change / (1.0 + k * dt * (stiffness * dt / 4.0 + damping));
            joint[ALONG + 2] += change;
            pull(world, j, arms, change * n);
            most = change.abs() * k;
        }
        if is_limited {
            let total = limited(world, j, pair_at_end(world, j).way, k);
            let change = total - world.joints[j][ALONG];
            world.joints[j][ALONG] = total;
            pull(world, j, arms, change * n);
            most = most.max(change.abs() * k);
        }
        return most;
    }
    let reach = arms[0].length().max(2.0 * f64::from(world.params.world.particle_radius));
    let k = n.dot(if kind == JOINT_HINGE { angular } else { linear } * n);
    let mut axial = |world: &mut World, at: usize, total: f64| {
        let change = total - world.joints[j][ALONG + at];
        world.joints[j][ALONG + at] = total;
        if kind == JOINT_HINGE {
            twist(world, j, change * n);
            most = most.max(change.abs() * k * reach);
        } else {
            pull(world, j, arms, change * n);
            most = most.max(change.abs() * k);
        }
    };
    let [speed, strongest] = [world.joints[j][BOUNDS + 2], world.joints[j][BOUNDS + 3]];
    if strongest > 0.0 && k > 0.0 {
        let [a, b] = pair.places;
        let relative = match kind {
            JOINT_HINGE => a.spin - b.spin,
            _ => a.velocity + a.spin.cross(arms[0]) - b.velocity - b.spin.cross(arms[1]),
        };
        let total = world.joints[j][ALONG + 1] + (speed - n.dot(relative)) / k;
        axial(world, 1, total.clamp(-dt * strongest, dt * strongest));
    }
    if is_limited && k > 0.0 {
        let total = limited(world, j, pair_at_end(world, j).way, k);
        axial(world, 0, total);
    }
    if kind != JOINT_BALL {
        let free = if kind == JOINT_HINGE { n } else { DVec3::ZERO };
        let change = -across(angular, free, pair_at_end(world, j).tilt) / dt;
        add(world, j, TWIST, change);
        twist(world, j, change);
        most = most.max((angular * change).length() * reach);
    }
    let at_end = pair_at_end(world, j);
    let (free, apart) = match kind {
        JOINT_SLIDER => (n, at_end.apart.reject_from_normalized(at_end.axis.normalize())),
        _ => (DVec3::ZERO, at_end.apart),
    };
    let change = -across(linear, free, apart) / dt;
    add(world, j, PUSH, change);
    pull(world, j, arms, change);
    most.max((linear * change).length())
}

fn add(world: &mut World, j: usize, at: usize, change: DVec3) {
    let sum = part(&world.joints[j], at) + change;
    world.joints[j][at..at + 3].copy_from_slice(&sum.to_array());
}

/// What a joint carried in the step, and in the frame. Bodies that it pulls do not fall freely.
pub(crate) fn finish(world: &mut World, j: usize) {
    let dt = f64::from(world.control.dt);
    let (pair, way) = (pair_now(world, j), pair_at_end(world, j).way);
    let (push, turning) = totals(world, j, pair.axis);
    let joint = &mut world.joints[j];
    (joint[PUSH + 3], joint[TWIST + 3], joint[ALONG + 3]) = (dt, pair.way, way);
    if world.control.steps_in_frame == 0 {
        joint[IMPULSE..].fill(0.0);
    }
    add(world, j, IMPULSE, push);
    add(world, j, ANGULAR_IMPULSE, turning);
    let g = world.params.world.gravity.as_dvec3();
    for number in sides(world, j).into_iter().flatten() {
        let mass = f64::from(world.colliders[number].inverse_mass);
        if mass > 0.0 && push.length() * mass >= 1e-4 * dt * g.length() {
            let body = &mut world.bodies[number];
            body[3] = part(body, VELOCITY).dot(g);
        }
    }
}
