//! Collisions: every shape on both sides, reflection, friction, springs.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DQuat, DVec3, Quat, Vec3, Vec4};
use meniscus_model::params::{
    Collider, RESPONSE_REFLECT, RESPONSE_SPRING, SHAPE_BOX, SHAPE_CAPSULE, SHAPE_CYLINDER,
    SHAPE_PLANE, SHAPE_SPHERE,
};
use meniscus_reference::{World, run};

use crate::fixture::{Random, assert_close, assert_near, params, world, xyz};

const RADIUS: f64 = 0.25;

fn collider(shape: u32, inside: u32) -> Collider {
    Collider {
        shape,
        inside,
        half_extents: Vec3::new(1.0, 2.0, 3.0),
        radius: 1.5,
        rotation: Vec4::W,
        response: RESPONSE_REFLECT,
        ..<_>::default()
    }
}

/// One particle at x with velocity v against the colliders.
fn setting(colliders: &[Collider], x: DVec3, v: DVec3) -> World {
    let mut world = world(params(3, 1), &[x]);
    world.set_colliders(colliders);
    world.velocity[0] = v.extend(3.0).to_array();
    world.position[0][3] = 2.0;
    world
}

/// Position and velocity after the collision; w is not touched.
fn collide(mut world: World) -> (DVec3, DVec3) {
    run(&mut world, "solid/collide");
    assert_eq!([world.position[0][3], world.velocity[0][3]], [2.0, 3.0]);
    (xyz(world.position[0]), xyz(world.velocity[0]))
}

/// Shape, inside, a point that touches, its distance from the wall, the normal into the fluid.
fn contacts() -> Vec<(u32, u32, DVec3, f64, DVec3)> {
    let v = DVec3::new;
    let diagonal = v(FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0);
    vec![
        // Beside a face, off an edge, off a corner, in it near the −z face, in its middle.
        (SHAPE_BOX, 0, v(1.125, 0.5, -1.0), 0.125, DVec3::X),
        (SHAPE_BOX, 0, v(1.125, 2.125, 0.0), 0.125 * 2_f64.sqrt(), diagonal),
        (SHAPE_BOX, 0, v(-1.02, -2.02, 3.01), 0.03, v(-2.0, -2.0, 1.0) / 3.0),
        (SHAPE_BOX, 0, v(0.0, 0.0, -2.875), -0.125, -DVec3::Z),
        (SHAPE_BOX, 0, v(0.0, 0.0, 0.0), -1.0, DVec3::X),
        (SHAPE_SPHERE, 0, v(0.0, -1.625, 0.0), 0.125, -DVec3::Y),
        (SHAPE_SPHERE, 0, v(0.3, 0.4, 0.0), -1.0, v(0.6, 0.8, 0.0)),
        (SHAPE_SPHERE, 0, DVec3::ZERO, -1.5, DVec3::Y),
        (SHAPE_PLANE, 0, v(7.0, 0.125, -9.0), 0.125, DVec3::Y),
        (SHAPE_PLANE, 1, v(7.0, -4.0, -9.0), -4.0, DVec3::Y),
        // Beside the mantle, beyond a cap, off the rim, in it near the mantle and near a cap.
        (SHAPE_CYLINDER, 0, v(0.0, 1.0, -1.625), 0.125, -DVec3::Z),
        (SHAPE_CYLINDER, 0, v(0.5, -2.125, 0.5), 0.125, -DVec3::Y),
        (SHAPE_CYLINDER, 0, v(1.625, 2.125, 0.0), 0.125 * 2_f64.sqrt(), diagonal),
        (SHAPE_CYLINDER, 0, v(0.84, 0.0, 1.12), -0.1, v(0.6, 0.0, 0.8)),
        (SHAPE_CYLINDER, 0, v(0.5, 1.75, 0.0), -0.25, DVec3::Y),
        (SHAPE_CAPSULE, 0, v(0.0, 1.0, 1.625), 0.125, DVec3::Z),
        (SHAPE_CAPSULE, 0, v(0.96, -3.28, 0.0), 0.1, v(0.6, -0.8, 0.0)),
        (SHAPE_CAPSULE, 0, v(0.0, 1.0, 0.0), -1.5, DVec3::Y),
        (SHAPE_BOX, 1, v(0.875, 0.0, 0.0), 0.125, -DVec3::X),
        (SHAPE_BOX, 1, v(0.0, -2.5, 0.0), -0.5, DVec3::Y),
        (SHAPE_BOX, 1, v(0.0, 0.0, 2.875), 0.125, -DVec3::Z),
        (SHAPE_SPHERE, 1, v(0.0, 0.84, -1.12), 0.1, v(0.0, -0.6, 0.8)),
        (SHAPE_SPHERE, 1, v(0.0, 3.0, -4.0), -3.5, v(0.0, -0.6, 0.8)),
        (SHAPE_CYLINDER, 1, v(0.84, 0.0, -1.12), 0.1, v(-0.6, 0.0, 0.8)),
        (SHAPE_CYLINDER, 1, v(0.5, -1.875, 0.0), 0.125, DVec3::Y),
        (SHAPE_CAPSULE, 1, v(-1.375, 1.0, 0.0), 0.125, DVec3::X),
        (SHAPE_CAPSULE, 1, v(0.84, 3.12, 0.0), 0.1, v(-0.6, -0.8, 0.0)),
    ]
}

#[test]
fn particles_are_pushed_out_of_every_shape_to_their_radius() {
    for (shape, inside, x, distance, normal) in contacts() {
        let (pushed, velocity) = collide(setting(&[collider(shape, inside)], x, DVec3::ZERO));
        let expected = x + (RADIUS - distance) * normal;
        let error = (pushed - expected).length();
        assert!(
            error < 1e-12,
            "shape {shape}, inside {inside}, from {x}: {pushed}, not {expected}"
        );
        assert_eq!(velocity, DVec3::ZERO);
    }
}

#[test]
fn every_shape_reflects_with_restitution_and_friction() {
    let (e, friction) = (0.5, 0.25);
    for (shape, inside, x, _, n) in contacts() {
        let wall =
            Collider { restitution: e, friction, velocity: Vec3::ONE, ..collider(shape, inside) };
        let t = n.any_orthonormal_vector();
        let drift = DVec3::ONE;
        let (e, friction) = (f64::from(e), f64::from(friction));
        // Approaching at 2 and sliding at 3: the normal impulse is 3, friction takes 0.75.
        let (_, v) = collide(setting(&[wall], x, drift - 2.0 * n + 3.0 * t));
        assert_near(v, drift + 2.0 * e * n + (3.0 - friction * 3.0) * t);
        // Sliding slower than friction removes: it sticks.
        let (_, v) = collide(setting(&[wall], x, drift - 2.0 * n + 0.5 * t));
        assert_near(v, drift + 2.0 * e * n);
        // Separating: nothing happens.
        let (_, v) = collide(setting(&[wall], x, drift + 2.0 * n + 3.0 * t));
        assert_near(v, drift + 2.0 * n + 3.0 * t);
    }
}

#[test]
fn particles_that_do_not_touch_are_left_alone() {
    let wall = collider(SHAPE_SPHERE, 0);
    let far = (DVec3::X * 1.75, DVec3::X * -5.0);
    assert_eq!(collide(setting(&[wall], far.0, far.1)), far);
    let container = collider(SHAPE_BOX, 1);
    let within = (DVec3::new(0.75, -1.75, 2.75), DVec3::ONE);
    assert_eq!(collide(setting(&[container], within.0, within.1)), within);
}

#[test]
fn corners_of_containers_push_along_every_wall() {
    let (x, v) = (DVec3::new(-2.0, 3.0, 3.0), DVec3::new(-1.0, 1.0, 1.0));
    let (pushed, velocity) = collide(setting(&[collider(SHAPE_BOX, 1)], x, v));
    assert_near(pushed, DVec3::new(-0.75, 1.75, 2.75));
    assert_near(velocity, DVec3::ZERO);
    let (x, v) = (DVec3::new(2.0, 3.0, 0.0), DVec3::new(1.0, 1.0, 0.5));
    let (pushed, velocity) = collide(setting(&[collider(SHAPE_CYLINDER, 1)], x, v));
    assert_near(pushed, DVec3::new(1.25, 1.75, 0.0));
    assert_near(velocity, DVec3::Z * 0.5);
}

/// With a particle this large every point touches, and its displacement shows distance and normal.
fn distance_and_normal(collider: Collider, x: DVec3) -> (f64, DVec3) {
    let mut world = setting(&[collider], x, DVec3::ZERO);
    world.params.world.particle_radius = 64.0;
    let (pushed, _) = collide(world);
    let way = pushed - x;
    (64.0 - way.length(), way.normalize())
}

#[test]
fn normals_are_gradients_of_the_distance() {
    let mut random = Random::new(5);
    let rotation = Quat::from_xyzw(0.2, -0.4, 0.4, 0.8);
    let mut points = 0;
    for (shape, inside) in [
        (SHAPE_BOX, 0),
        (SHAPE_SPHERE, 0),
        (SHAPE_PLANE, 0),
        (SHAPE_CYLINDER, 0),
        (SHAPE_CAPSULE, 0),
        (SHAPE_SPHERE, 1),
        (SHAPE_CAPSULE, 1),
    ] {
        let solid = Collider { rotation: rotation.into(), ..collider(shape, inside) };
        for _ in 0..100 {
            let x = random.vector(5.0, 3);
            let (_, normal) = distance_and_normal(solid, x);
            let step = 1e-5;
            let slope = |e: DVec3| {
                let ahead = distance_and_normal(solid, x + step * e).0;
                (ahead - distance_and_normal(solid, x - step * e).0) / (2.0 * step)
            };
            let gradient = DVec3::from_array(DVec3::AXES.map(slope));
            // On a ridge between two faces the difference sees both of them.
            points += u32::from((gradient - normal).length() < 1e-6);
        }
    }
    assert!(points >= 695, "{points} of 700");
}

#[test]
fn rotated_moving_and_periodic_walls_are_where_they_should_be() {
    // A quarter turn about z takes local y to −x: the plane's fluid is on the side of −x.
    let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    assert_near(turn * DVec3::Y, -DVec3::X);
    let plane = Collider {
        rotation: Vec4::new(0.0, 0.0, FRAC_1_SQRT_2 as f32, FRAC_1_SQRT_2 as f32),
        position: Vec3::X * 3.0,
        velocity: Vec3::X * -2.0,
        ..collider(SHAPE_PLANE, 0)
    };
    let mut world = setting(&[plane], DVec3::X * -5.0, DVec3::ZERO);
    world.params.grid.period = Vec3::X * 8.0;
    (world.control.time_in_frame, world.control.dt) = (0.25, 0.25);
    // The wall is at 3, and −5 is an image of it: pushed to 2.75 − 8.
    let (pushed, velocity) = collide(world);
    assert_near(pushed, DVec3::X * -5.25);
    assert_near(velocity, DVec3::X * -2.0);
}

#[test]
fn contacts_follow_one_another() {
    // The first plane pushes up into the reach of the second, which pushes down.
    let floor = collider(SHAPE_PLANE, 0);
    let ceiling = Collider {
        rotation: Vec4::X,
        position: Vec3::Y * 0.375,
        restitution: 1.0,
        ..collider(SHAPE_PLANE, 0)
    };
    let (pushed, _) = collide(setting(&[floor, ceiling], DVec3::Y * 0.0625, DVec3::ZERO));
    assert_near(pushed, DVec3::Y * 0.125);
    let (pushed, _) = collide(setting(&[ceiling, floor], DVec3::Y * 0.0625, DVec3::ZERO));
    assert_near(pushed, DVec3::Y * 0.25);
}

#[test]
fn springs_push_by_the_predicted_penetration() {
    let spring = Collider {
        response: RESPONSE_SPRING,
        stiffness: 100.0,
        damping: 8.0,
        velocity: Vec3::Y * -1.0,
        position: Vec3::Y * -0.125,
        ..collider(SHAPE_PLANE, 0)
    };
    let after = |height: f64, v: f64| {
        let mut world = setting(&[spring], DVec3::Y * height, DVec3::new(1.0, v, 0.0));
        world.control.dt = 0.125;
        let (x, velocity) = collide(world);
        assert_eq!(x, DVec3::Y * height);
        assert_eq!(velocity.x, 1.0);
        velocity.y
    };
    // The wall is at −0.125. Height 0 touches by 0.125 and, approaching at 1, by 0.25.
    assert_close(after(0.0, -2.0), -2.0 + 0.125 * (100.0 * 0.25 + 8.0), 1e-12);
    // Out of reach now, but not at the next step.
    assert_close(after(0.25, -3.0), -3.0 + 0.125 * (100.0 * 0.125 + 16.0), 1e-12);
    // Out of reach then: no pull.
    assert_eq!(after(0.0, 0.0), 0.0);
}
