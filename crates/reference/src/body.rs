//! Moving solids (`wgsl/body/`).

use glam::{DQuat, DVec3};
use meniscus_model::params::{Collider, KIND_BOUNDARY, KIND_FLUID, RUNAWAY_CELLS};

use crate::World;
use crate::incompressible::is_body;
use crate::incompressible::per_step;
use crate::integrate::{by_fields, is_settling, too_far};
use crate::kernels::Kernels;
use crate::pairs::Pair;
use crate::space::{displacement, with_w, wrap, xyz};
use crate::time;
use crate::world::is_kind;

/// A collider at its current place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posed {
    pub(crate) collider: Collider,
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
    pub(crate) velocity: DVec3,
    pub(crate) angular_velocity: DVec3,
    /// Share of the second field in the distances of a mesh that changes its shape, and its rate in s⁻¹.
    pub(crate) share: f64,
    pub(crate) rate: f64,
}

impl Posed {
    /// A collider at its initial place.
    pub(crate) fn still(collider: &Collider) -> Self {
        Self {
            collider: *collider,
            position: collider.position.as_dvec3(),
            rotation: DQuat::from_vec4(collider.rotation.as_dvec4()).normalize(),
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            share: 0.0,
            rate: 0.0,
        }
    }
}

/// The collider of a body at the body's current place.
pub(crate) fn posed(world: &World, number: usize) -> Posed {
    let body = &world.bodies[number];
    Posed {
        collider: world.colliders[number],
        position: part(body, POSITION),
        rotation: rotation(body),
        velocity: part(body, VELOCITY),
        angular_velocity: part(body, SPIN),
        share: body[POSITION + 3],
        rate: body[VELOCITY + 3],
    }
}

// Offsets of the members of a body (`meniscus_model::params::Body`) …
pub(crate) const POSITION: usize = 0;
const ROTATION: usize = 4;
pub(crate) const VELOCITY: usize = 8;
pub(crate) const SPIN: usize = 12;
pub(crate) const MOMENTUM: usize = 16;
// … and of a motion (`meniscus_model::motion::for_frame`).
const MOTION_ROTATION: usize = 4;
const WAY: usize = 8;
const TURN: usize = 20;

pub(crate) fn part(data: &[f64], at: usize) -> DVec3 {
    DVec3::from_slice(&data[at..at + 3])
}

pub(crate) fn set(body: &mut [f64; 20], at: usize, v: DVec3) {
    body[at..at + 4].copy_from_slice(&with_w(v, 0.0));
}

pub(crate) fn rotation(body: &[f64; 20]) -> DQuat {
    DQuat::from_slice(&body[ROTATION..]).normalize()
}

/// A body at its collider's initial place.
pub(crate) fn start(collider: &Collider) -> [f64; 20] {
    let mut body = [0.0; 20];
    set(&mut body, POSITION, collider.position.as_dvec3());
    set_rotation(&mut body, DQuat::from_vec4(collider.rotation.as_dvec4()));
    set(&mut body, VELOCITY, collider.velocity.as_dvec3());
    set(&mut body, SPIN, collider.angular_velocity.as_dvec3());
    body
}

/// Moves solids to where forces are computed, and resets forces, and impulses at the start of a frame.
pub(crate) fn begin(world: &mut World) {
    time::begin_step(world);
    let count = world.params.counts.colliders as usize;
    world.body_force[..count].fill([0.0; 8]);
    world.body_pressure[..count].fill([0.0; 8]);
    if world.control.steps_in_frame == 0 {
        world.body_impulse[..count].fill([0.0; 16]);
    }
    let dt = f64::from(world.control.dt);
    let share = f64::from(world.params.time.first_drift);
    let now = f64::from(world.control.time_in_frame);
    advance(world, share * dt, [now + share * dt, now + 0.5 * dt]);
    for number in free(world) {
        let g = world.gravity_of_solid(number);
        let body = &mut world.bodies[number];
        body[POSITION + 3] = part(body, VELOCITY).dot(g);
    }
}

/// Numbers of the solids that forces move.
fn free(world: &World) -> Vec<usize> {
    let all = 0..world.params.counts.colliders as usize;
    all.filter(|number| world.colliders[*number].inverse_mass > 0.0).collect()
}

/// Moves solids to the end of the step, semi-implicit steps exact in free fall, and adds up the impulses of the forces on them.
pub(crate) fn end(world: &mut World) {
    let dt = f64::from(world.control.dt);
    let share = 1.0 - f64::from(world.params.time.first_drift);
    for number in 0..world.params.counts.colliders as usize {
        for k in 0..8 {
            let by_pressure = dt * world.body_pressure[number][k];
            world.body_impulse[number][k] += dt * world.body_force[number][k] + by_pressure;
            world.body_impulse[number][8 + k] += by_pressure;
        }
    }
    let time = f64::from(world.control.time_in_frame) + dt;
    let semi_implicit = world.params.time.first_drift == 0.0 && !is_settling(world);
    let back = |number: &usize| {
        let (body, g) = (&world.bodies[*number], world.gravity_of_solid(*number));
        too_far(world, g, part(body, VELOCITY).dot(g) - body[POSITION + 3])
    };
    let free = if semi_implicit { free(world) } else { Vec::new() };
    let backs: Vec<_> = free.iter().map(back).collect();
    advance(world, share * dt, [time, time]);
    for (number, back) in free.into_iter().zip(backs) {
        let body = &mut world.bodies[number];
        set(body, POSITION, part(body, POSITION) - back);
    }
}

/// Advances free bodies by a time in s; driven bodies get the position of one time of the frame and
/// the velocities of another.
fn advance(world: &mut World, drift: f64, [place, velocity]: [f64; 2]) {
    let duration = f64::from(world.params.time.frame_duration);
    let settling = is_settling(world);
    for number in 0..world.params.counts.colliders as usize {
        let collider = world.colliders[number];
        let body = &mut world.bodies[number];
        if collider.inverse_mass > 0.0 && settling {
            for from in [VELOCITY, SPIN, MOMENTUM] {
                body[from..from + 4].fill(0.0);
            }
            continue;
        }
        if collider.inverse_mass > 0.0 {
            drift_freely(body, collider.inverse_inertia.as_dvec3(), drift);
            continue;
        }
        let motion = &world.motions[number];
        let at = |from: usize| curve(motion, from, duration, place).0;
        let speed = |from: usize| curve(motion, from, duration, velocity).1;
        let start = DQuat::from_slice(&motion[MOTION_ROTATION..]).normalize();
        let rotation = DQuat::from_scaled_axis(at(TURN)) * start;
        *body = [0.0; 20];
        set(body, POSITION, part(motion, POSITION) + at(WAY));
        set_rotation(body, rotation);
        set(body, VELOCITY, speed(WAY));
        set(body, SPIN, speed(TURN));
        // Distances of a mesh that changes its shape go from those at the frame's start to those at its end.
        body[POSITION + 3] = motion[3] + place / duration * motion[WAY + 7];
        body[VELOCITY + 3] = motion[WAY + 7] / duration;
    }
}

pub(crate) fn set_rotation(body: &mut [f64; 20], rotation: DQuat) {
    body[ROTATION..ROTATION + 4].copy_from_slice(&rotation.normalize().to_array());
}

/// Cubic Hermite curve with these ends and slopes, and its derivative.
fn curve(motion: &[f64], from: usize, duration: f64, time: f64) -> (DVec3, DVec3) {
    let (v0, way, v1) = (part(motion, from), part(motion, from + 4), part(motion, from + 8));
    let s = time / duration;
    let (a, b) = (duration * (v0 + v1) - 2.0 * way, 3.0 * way - duration * (2.0 * v0 + v1));
    let place = ((a * s + b) * s + duration * v0) * s;
    let slope = ((3.0 * a * s + 2.0 * b) * s + duration * v0) / duration;
    (place, slope)
}

/// x += Δt v, and a rotation by the ω at its middle.
pub(crate) fn drift_freely(body: &mut [f64; 20], inverse_inertia: DVec3, dt: f64) {
    let start = rotation(body);
    let momentum = part(body, MOMENTUM);
    let spin_at = |q: DQuat| q * (inverse_inertia * (q.inverse() * momentum));
    let mut spin = spin_at(start);
    for _ in 0..3 {
        spin = spin_at(DQuat::from_scaled_axis(0.5 * dt * spin) * start);
    }
    let next = DQuat::from_scaled_axis(dt * spin) * start;
    set(body, POSITION, part(body, POSITION) + dt * part(body, VELOCITY));
    set_rotation(body, next);
    set(body, SPIN, spin_at(next));
}

/// Positions and velocities of boundary particles (T 15, 16).
pub(crate) fn place(world: &mut World) {
    for i in world.handled() {
        let [id, who] = world.identity[i];
        if !is_kind(world.identity[i], KIND_BOUNDARY) {
            continue;
        }
        let solid = posed(world, (who >> 16) as usize);
        let k = (id - world.params.counts.first_wall) as usize;
        let mut own = DVec3::ZERO;
        let carrier = world.model_position[k][3];
        if carrier > 0.0 {
            let way = world.wall_ways[carrier as usize - 1];
            let duration = f64::from(world.params.time.frame_duration);
            let now = f64::from(world.control.time_in_frame);
            let dt = f64::from(world.control.dt);
            let share = f64::from(world.params.time.first_drift);
            let model = part(&way, 0) + curve(&way, 4, duration, now + share * dt).0;
            world.model_position[k] = with_w(model, carrier);
            own = solid.rotation * curve(&way, 4, duration, now + 0.5 * dt).1;
            world.position[i][3] = way[3];
        }
        let arm = solid.rotation * xyz(world.model_position[k]);
        let x = wrap(&world.params, solid.position + arm);
        world.position[i] = with_w(x, world.position[i][3]);
        let v = solid.velocity + solid.angular_velocity.cross(arm) + own;
        world.velocity[i] = with_w(v, world.velocity[i][3]);
    }
}

/// Sorted slots of the last boundary particles, as many as the stage has elements, with their
/// indices among all boundary particles.
pub(crate) fn members(world: &World) -> Vec<(usize, usize)> {
    let member = |s: usize| {
        let own = is_kind(world.sorted_identity[s], KIND_BOUNDARY);
        own.then(|| (s, (world.sorted_identity[s][0] - world.params.counts.first_wall) as usize))
    };
    let first = (world.params.counts.walls - world.stage.element_count) as usize;
    world.particles().filter_map(member).filter(|(_, k)| *k >= first).collect()
}

fn is_fluid(world: &World, s: usize) -> bool {
    is_kind(world.sorted_identity[s], KIND_FLUID)
}

/// Reaction on bodies of the terms that act on fluid (Akinci 2012): of each, by one pair.
pub(crate) fn react(world: &mut World) {
    world.find_pairs();
    for (s, k) in members(world) {
        let mut force = DVec3::ZERO;
        for pair in world.pairs.of(s).iter().filter(|pair| is_fluid(world, pair.j)) {
            let mass = f64::from(world.material(world.sorted_identity[pair.j]).mass);
            let back = Pair { j: s, offset: -pair.offset, r: pair.r };
            let sum: DVec3 = world.terms.iter().map(|term| term(world, pair.j, &[back])).sum();
            force -= mass * sum;
        }
        world.reaction[k] = with_w(force, 0.0);
    }
}

/// Reaction on bodies, and on boundaries, of the pressure of incompressible solvers.
pub(crate) fn press(world: &mut World) {
    world.find_pairs();
    let kernels = Kernels::of(&world.params);
    let calibration = f64::from(world.params.kernel.density_calibration);
    let per_step = per_step(world);
    for (s, k) in members(world) {
        let volume = -world.sorted_position[s][3];
        let share = if is_body(world, s) { 2.0 } else { 1.0 };
        let mut force = DVec3::ZERO;
        for pair in world.pairs.of(s).iter().filter(|pair| is_fluid(world, pair.j)) {
            let material = world.material(world.sorted_identity[pair.j]);
            let (mass, rest_density) = (f64::from(material.mass), f64::from(material.rest_density));
            let gradient = share * calibration * volume * kernels.density_gradient(-pair.offset);
            let displacement = -world.floats("kappa")[pair.j] / rest_density * gradient;
            force -= mass * displacement * per_step * per_step;
        }
        world.reaction[k] = with_w(force, 0.0);
    }
}

/// v += Δt F/m, L += Δt Σ (R q) × F.
pub(crate) fn kick(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for number in 0..world.params.counts.colliders as usize {
        let solid = posed(world, number);
        let collider = solid.collider;
        let first = collider.first_particle as usize;
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for k in first..first + collider.particle_count as usize {
            let f = xyz(world.reaction[k]);
            force += f;
            torque += (solid.rotation * xyz(world.model_position[k])).cross(f);
        }
        if collider.particle_count == 0 {
            continue;
        }
        let sums = &mut world.body_force[number];
        for axis in 0..3 {
            sums[axis] += force[axis];
            sums[4 + axis] += torque[axis];
        }
        if collider.inverse_mass > 0.0 {
            let body = &mut world.bodies[number];
            let velocity = part(body, VELOCITY) + dt * f64::from(collider.inverse_mass) * force;
            set(body, VELOCITY, velocity);
            turn(body, collider.inverse_inertia.as_dvec3(), dt * torque);
        }
    }
}

/// Upper bound of ω Δt of the pull.
const STIFFEST: f64 = 0.1;

/// v += Δt (g + F/m), L += Δt τ for free bodies, and the pull of the mouse on one of them.
pub(crate) fn fall(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for number in 0..world.params.counts.colliders as usize {
        let collider = world.colliders[number];
        if collider.inverse_mass > 0.0 && !is_parked(world, number) {
            let push = world.body_push[number];
            let g = world.gravity_of_solid(number);
            let body = &mut world.bodies[number];
            let g = if collider.hinged_mass > 0.0 { DVec3::ZERO } else { g };
            let a = g + f64::from(collider.inverse_mass) * part(&push, 0);
            let before = part(body, VELOCITY);
            set(body, VELOCITY, before + dt * a);
            turn(body, collider.inverse_inertia.as_dvec3(), dt * part(&push, 4));
            if world.params.pull.body == number as u32 && dt > 0.0 {
                pull(world, number, before);
            }
        }
    }
}

/// Whether a program has taken a body out: it is a quarter of 2²⁰ cells away, or more.
pub(crate) fn is_parked(world: &World, number: usize) -> bool {
    let cells = part(&world.bodies[number], POSITION) * world.params.grid.inverse_cell.as_dvec3();
    cells.abs().max_element() >= 0.25 * f64::from(RUNAWAY_CELLS)
}

/// Puts a body where a program wants it, and lets the next step be short enough for it.
pub(crate) fn put(world: &mut World) {
    let [number, speed_bits] = world.put_state[..] else { unreachable!("two words") };
    world.bodies[number as usize] = world.put_body[0];
    let (control, speed) = (&mut world.control, f32::from_bits(speed_bits));
    control.max_speed_bits = control.max_speed().max(speed).to_bits();
    let signal = f32::from_bits(control.max_signal_bits);
    if signal > 0.0 {
        control.max_signal_bits = (signal + speed).to_bits();
    }
}

/// v += Δt a by force fields, for free bodies.
pub(crate) fn fields(world: &mut World) {
    let dt = f64::from(world.control.dt);
    let count = world.params.counts.colliders as usize;
    for k in 0..count {
        let (collider, body) = (&world.colliders[k], &world.bodies[k]);
        if collider.inverse_mass > 0.0 && collider.hinged_mass == 0.0 && !is_parked(world, k) {
            let v = part(body, VELOCITY);
            let a = by_fields(world, part(body, POSITION), v);
            set(&mut world.bodies[k], VELOCITY, v + dt * a);
        }
    }
}

/// L += `change`, with the angular velocity that follows.
pub(crate) fn turn(body: &mut [f64; 20], inverse_inertia: DVec3, change: DVec3) {
    let (rotation, momentum) = (rotation(body), part(body, MOMENTUM) + change);
    set(body, MOMENTUM, momentum);
    set(body, SPIN, rotation * (inverse_inertia * (rotation.inverse() * momentum)));
}

/// Impulse of the mouse's critically damped spring at a point of a body that had this velocity.
fn pull(world: &mut World, number: usize, velocity: DVec3) {
    let dt = f64::from(world.control.dt);
    let pull = world.params.pull;
    let solid = posed(world, number);
    let hinged = f64::from(solid.collider.hinged_mass);
    let mass = if hinged > 0.0 { hinged } else { 1.0 / f64::from(solid.collider.inverse_mass) };
    let arm = solid.rotation * pull.arm.as_dvec3();
    let way = displacement(&world.params, pull.goal.as_dvec3(), solid.position + arm);
    let rate = f64::from(pull.rate).min(STIFFEST / dt);
    let spring = rate * rate * way.clamp_length_max(pull.reach.into());
    let force = mass * (spring - 2.0 * rate * (velocity + solid.angular_velocity.cross(arm)));
    let body = &mut world.bodies[number];
    if hinged == 0.0 {
        set(body, VELOCITY, part(body, VELOCITY) + dt / mass * force);
    }
    turn(body, solid.collider.inverse_inertia.as_dvec3(), dt * arm.cross(force));
}

/// What surfaces stopped, as force of pressure and as impulse.
pub(crate) fn stop(world: &mut World) {
    let driven = world.params.counts.driven as usize;
    for number in 0..driven {
        let collider = &world.colliders[number];
        if collider.particle_count == 0 && collider.is_body != 2 {
            continue;
        }
        let mut sums = [0.0; 8];
        let solids = driven / world.params.counts.worlds as usize;
        let blocks = world.stop_sums.len() / driven;
        let own = world.stop_sums.chunks_exact(solids).skip(number / solids * blocks).take(blocks);
        for block in own {
            sums.iter_mut().zip(block[number % solids]).for_each(|(sum, part)| *sum += part);
        }
        for (k, sum) in sums.into_iter().enumerate() {
            world.body_pressure[number][k] += sum * per_step(world);
            world.body_impulse[number][k] += sum;
            world.body_impulse[number][8 + k] += sum;
        }
    }
}

/// Velocities of the particles of free bodies, in cell order (T 15).
pub(crate) fn carry(world: &mut World) {
    for (s, k) in members(world) {
        let number = world.sorted_identity[s][1] >> 16;
        if number < world.params.counts.driven {
            continue;
        }
        let solid = posed(world, number as usize);
        let arm = solid.rotation * xyz(world.model_position[k]);
        let v = solid.velocity + solid.angular_velocity.cross(arm);
        world.sorted_velocity[s] = with_w(v, world.sorted_velocity[s][3]);
    }
}
