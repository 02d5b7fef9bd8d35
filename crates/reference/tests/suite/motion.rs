//! Leap-frog, periodic axes and force fields.

use glam::{DVec3, Vec3};
use meniscus_model::params::{FIELD_ATTRACT, FIELD_ROTATION, FIELD_UNIFORM, ForceField};
use meniscus_reference::{World, run};

use crate::fixture::{Random, assert_near, params, world, xyz};

/// A drift–kick–drift step of particles without neighbours.
fn step(world: &mut World, dt: f32) {
    world.control.dt = dt;
    run(world, "integrate/drift");
    world.sorted_position.clone_from(&world.position);
    world.sorted_velocity.clone_from(&world.velocity);
    world.sorted_identity.clone_from(&world.identity);
    run(world, "integrate/kick_drift");
}

#[test]
fn leap_frog_is_exact_under_gravity_with_varying_steps() {
    let mut params = params(3, 1);
    params.set_gravities(&[Vec3::new(0.5, -9.81, 0.25)]);
    let start = DVec3::new(1.0, 2.0, 3.0);
    let speed = DVec3::new(-1.0, 4.0, 0.5);
    let mut world = world(params, &[start]);
    world.velocity[0] = speed.extend(0.0).to_array();
    let mut random = Random::new(3);
    let mut t = 0.0;
    for _ in 0..1000 {
        let dt = (1e-3 * random.unit()) as f32;
        step(&mut world, dt);
        t += f64::from(dt);
    }
    let g = params.world.gravity.as_dvec3();
    assert_near(xyz(world.position[0]), start + speed * t + 0.5 * g * t * t);
    assert_near(xyz(world.velocity[0]), speed + g * t);
    assert_eq!(world.control.max_acceleration(), g.length() as f32);
}

#[test]
fn a_step_carries_density_pressure_and_identity() {
    let mut world = world(params(3, 1), &[DVec3::ZERO]);
    // The density is m/V, which an equation of state may have corrected.
    world.sorted_position[0][3] = 0.25;
    world.sorted_velocity[0] = [2.0, 0.0, 0.0, 7.0];
    world.sorted_identity[0] = [42, 3 << 8];
    world.acceleration[0] = [0.0, 4.0, 0.0, 99.0];
    world.control.dt = 0.5;
    run(&mut world, "integrate/kick_drift");
    assert_eq!(world.position[0], [0.5, 0.5, 0.0, 4.0]);
    assert_eq!(world.velocity[0], [2.0, 2.0, 0.0, 7.0]);
    assert_eq!(world.identity[0], [42, 3 << 8]);
    assert_eq!(world.control.max_acceleration(), 4.0);
}

#[test]
fn what_leaves_a_periodic_axis_comes_back() {
    let mut params = params(3, 1);
    params.grid.period = Vec3::new(4.0, 0.0, 4.0);
    let mut world = world(params, &[DVec3::new(1.9, 1.9, -1.9), DVec3::new(1.5, 0.0, 9.0)]);
    world.velocity = vec![[1.0, 1.0, -1.0, 0.0], [1.0, 0.0, 0.0, 0.0]];
    world.position[0][3] = 8.0;
    world.control.dt = 1.0;
    run(&mut world, "integrate/drift");
    assert_near(xyz(world.position[0]), DVec3::new(-1.6, 2.4, 1.6));
    // The upper end is identified with the lower one.
    assert_eq!(world.position[1], [-2.0, 0.0, 1.0, 0.0]);
    assert_eq!(world.position[0][3], 8.0);
}

/// Acceleration by one field at x; the domain is 8 m long in x.
fn field(field: ForceField, x: DVec3) -> DVec3 {
    let mut params = params(3, 1);
    params.grid.period = Vec3::X * 8.0;
    params.counts.force_fields = 1;
    params.force_fields[0] = field;
    // An unused second field.
    params.force_fields[1] = ForceField { direction: Vec3::ONE, ..field };
    let mut world = world(params, &[x]);
    world.acceleration[0] = [1.0, 2.0, 3.0, 4.0];
    run(&mut world, "integrate/fields");
    xyz(world.acceleration[0]) - DVec3::new(1.0, 2.0, 3.0)
}

#[test]
fn force_fields_act_as_formulas_say() {
    let center = Vec3::new(3.0, 1.0, 0.0);
    let uniform = ForceField { kind: FIELD_UNIFORM, direction: Vec3::Z, ..<_>::default() };
    assert_near(field(uniform, DVec3::ONE), DVec3::Z);

    let attract = ForceField { kind: FIELD_ATTRACT, center, strength: 6.0, radius: 4.0, ..uniform };
    assert_near(field(attract, DVec3::new(3.0, -2.0, 0.0)), DVec3::Y * 6.0 * 0.25);
    assert_near(field(attract, DVec3::new(-4.0, 1.0, 0.0)), DVec3::X * -6.0 * 0.75);
    assert_near(field(attract, DVec3::new(3.0, 6.0, 0.0)), DVec3::ZERO);
    assert_near(field(attract, center.as_dvec3()), DVec3::ZERO);

    let rotation = ForceField { kind: FIELD_ROTATION, ..attract };
    // ẑ × (1, 2, 5) = (−2, 1, 0), √5 from the axis.
    let taper = 1.0 - 5.0_f64.sqrt() / 4.0;
    let expected = DVec3::new(-2.0, 1.0, 0.0) * 6.0 * taper;
    assert_near(field(rotation, DVec3::new(4.0, 3.0, 5.0)), expected);
    assert_near(field(rotation, DVec3::new(3.0, 5.5, 0.0)), DVec3::ZERO);
}
