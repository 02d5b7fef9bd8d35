//! Drift–kick–drift leap-frog (`wgsl/integrate/`): x += ½Δt v, v += Δt a, x += ½Δt v, exact for constant acceleration whatever
//! the lengths of the steps; and semi-implicit Euler, v += Δt a, x += Δt v.

use glam::DVec3;
use meniscus_model::Params;
use meniscus_model::params::{
    FIELD_ATTRACT, FIELD_ROTATION, FIELD_SPONGE, FIELD_STIR, FIELD_UNIFORM, ForceField,
    KIND_BOUNDARY, KIND_FLUID,
};

use crate::World;
use crate::space::{displacement, with_w, wrap, xyz};
use crate::world::is_kind;

/// x += ½Δt·v for all particles except boundary particles.
pub(crate) fn drift(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for i in world.handled() {
        if !is_kind(world.identity[i], KIND_BOUNDARY) {
            let x = xyz(world.position[i]) + 0.5 * dt * xyz(world.velocity[i]);
            world.position[i] = with_w(wrap(&world.params, x), world.position[i][3]);
        }
    }
}

/// v += Δt·a; x += ½Δt·v, from the sorted to the unsorted arrays, with the acceleration (M 8) by
/// all forces. Boundary particles only move. Records the largest acceleration for the next step's
/// length.
pub(crate) fn kick_drift(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        let x = xyz(world.sorted_position[s]);
        let wall = is_kind(world.sorted_identity[s], KIND_BOUNDARY);
        let gravity = world.gravity_of(world.sorted_identity[s]);
        let a = if wall { DVec3::ZERO } else { xyz(world.acceleration[s]) + gravity };
        let v = xyz(world.sorted_velocity[s]) + dt * a;
        let volume = world.sorted_position[s][3];
        let mass = f64::from(world.material(world.sorted_identity[s]).mass);
        let w = if wall { -volume } else { mass / volume };
        world.position[s] = with_w(wrap(&params, x + 0.5 * dt * v), w);
        world.velocity[s] = with_w(v, world.sorted_velocity[s][3]);
        world.identity[s] = world.sorted_identity[s];
        let bits = (a.length() as f32).to_bits();
        world.control.max_acceleration_bits = world.control.max_acceleration_bits.max(bits);
    }
}

/// v += Δt·a for fluid, on the sorted arrays; records the largest acceleration, and v·g before it in the accelerations' w.
pub(crate) fn kick(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for s in world.sorted_fluid() {
        let gravity = world.gravity_of(world.sorted_identity[s]);
        let a = xyz(world.acceleration[s]) + gravity;
        let old = xyz(world.sorted_velocity[s]);
        world.acceleration[s][3] = old.dot(gravity);
        world.sorted_velocity[s] = with_w(old + dt * a, world.sorted_velocity[s][3]);
        let bits = (a.length() as f32).to_bits();
        world.control.max_acceleration_bits = world.control.max_acceleration_bits.max(bits);
    }
}

/// Adds the force fields to the accelerations.
pub(crate) fn fields(world: &mut World) {
    for s in world.handled() {
        let a = xyz(world.acceleration[s])
            + by_fields(world, xyz(world.sorted_position[s]), xyz(world.sorted_velocity[s]));
        world.acceleration[s] = with_w(a, world.acceleration[s][3]);
    }
}

/// Time in s in which a settling velocity falls by a factor of e.
const CALM: f64 = 0.05;

/// Whether the fluid settles.
pub(crate) fn is_settling(world: &World) -> bool {
    crate::time::now(world) < f64::from(world.params.time.settle)
}

/// Velocities of fluid that settles.
pub(crate) fn settle(world: &mut World) {
    if !is_settling(world) {
        return;
    }
    let dt = f64::from(world.control.dt);
    for i in world.handled() {
        if !is_kind(world.identity[i], KIND_BOUNDARY) {
            world.velocity[i] =
                with_w(xyz(world.velocity[i]) / (1.0 + dt / CALM), world.velocity[i][3]);
        }
    }
}

/// What is too far of a way Δt·v, v the velocity at the end of a step, in free fall, of which x = v₀ Δt + ½ g Δt² is exact: where
/// v·g changed by Δt g², to 5 %; and nothing where it is 10 % off.
pub(crate) fn too_far(world: &World, g: DVec3, change: f64) -> DVec3 {
    let dt = f64::from(world.control.dt);
    if g.length_squared() * dt == 0.0 {
        return DVec3::ZERO;
    }
    let off = (change / (dt * g.length_squared()) - 1.0).abs();
    (2.0 - off / 0.05).clamp(0.0, 1.0) * 0.5 * g * dt.powi(2)
}

/// x += Δt·v, from the sorted to the unsorted arrays, exact in free fall.
pub(crate) fn advance(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        let v = xyz(world.sorted_velocity[s]);
        let gravity = world.gravity_of(world.sorted_identity[s]);
        let fluid = is_kind(world.sorted_identity[s], KIND_FLUID);
        let back = match fluid {
            true => too_far(world, gravity, v.dot(gravity) - world.acceleration[s][3]),
            false => DVec3::ZERO,
        };
        let x = xyz(world.sorted_position[s]) + dt * v - back;
        let wall = is_kind(world.sorted_identity[s], KIND_BOUNDARY);
        let w = if wall { -world.sorted_position[s][3] } else { world.density[s] };
        world.position[s] = with_w(wrap(&world.params, x), w);
        world.velocity[s] = world.sorted_velocity[s];
        world.identity[s] = world.sorted_identity[s];
    }
}

/// Acceleration by the force fields, in m/s², of what is at x with velocity v.
pub(crate) fn by_fields(world: &World, x: DVec3, v: DVec3) -> DVec3 {
    let (params, dt) = (&world.params, f64::from(world.control.dt));
    let fields = &params.force_fields[..params.counts.force_fields as usize];
    fields.iter().map(|field| acceleration(params, field, x, v, dt)).sum()
}

/// Acceleration in m/s² by one field: s (r0 − r)/|r0 − r| towards a point, s â × (r − r0) about an axis, both times
/// max(0, 1 − distance/radius); in a sponge what the end of a step of backward Euler has of −s q² v.
fn acceleration(params: &Params, field: &ForceField, x: DVec3, v: DVec3, dt: f64) -> DVec3 {
    let direction = field.direction.as_dvec3();
    let strength = f64::from(field.strength);
    let from_center = displacement(params, x, field.center.as_dvec3());
    let taper = |distance: f64| (1.0 - distance / f64::from(field.radius)).max(0.0);
    match field.kind {
        FIELD_UNIFORM => direction,
        FIELD_ATTRACT => {
            let distance = from_center.length();
            -from_center.normalize_or_zero() * strength * taper(distance)
        }
        FIELD_ROTATION => {
            // |â × r| is the distance from the axis.
            let swirl = direction.cross(from_center);
            swirl * strength * taper(swirl.length())
        }
        FIELD_SPONGE => {
            let way = from_center.dot(direction).clamp(0.0, 1.0);
            let rate = strength * way * way;
            -rate / (1.0 + rate * dt) * v
        }
        FIELD_STIR => DVec3::ZERO,
        kind => panic!("no force field is of kind {kind}"),
    }
}
