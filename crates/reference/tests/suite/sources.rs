//! Emitters and drains.

use glam::{DVec3, Vec3};
use meniscus_model::params::{
    Collider, EmitterParams, KIND_FLUID, KIND_REMOVED, SHAPE_SPHERE, pack_identity,
};
use meniscus_reference::{World, run};

use crate::fixture::{params, world};

/// Four particles (ids up to 9 were given out), and two emitters at t = 0.1875 s: one of two
/// points whose second layer left at 0.125 s, one of three whose first left at 0.0625 s.
fn two_emitters(capacity: usize) -> World {
    let mut params = params(3, capacity);
    (params.counts.emitters, params.counts.emitter_points) = (2, 5);
    params.materials[3].rest_density = 7.0;
    let mut world = world(params, &[DVec3::ZERO; 4]);
    world.emitters = vec![
        EmitterParams {
            velocity: Vec3::X * 2.0,
            first_point: 0,
            point_count: 2,
            identity: pack_identity(KIND_FLUID, 0, 0),
            max_layers: 2,
            max_live: u32::MAX,
            interval: 0.125,
            start: 0.0,
            end: f32::INFINITY,
            ..EmitterParams::default()
        },
        EmitterParams {
            velocity: Vec3::Y * -4.0,
            first_point: 2,
            point_count: 3,
            identity: pack_identity(KIND_FLUID, 3, 0),
            max_layers: 9,
            max_live: u32::MAX,
            interval: 0.25,
            start: 0.0625,
            end: 1.0,
            ..EmitterParams::default()
        },
    ];
    for k in 0..5 {
        world.emitter_points[k] = [k as f64, 0.0, 0.0, if k < 2 { 0.0 } else { 1.0 }];
    }
    world.emitter_layers[0] = 1;
    world.control.next_id = 10;
    world.control.frame = 2;
    world.control.time_in_frame = 0.0625;
    world
}

#[test]
fn two_emitters_share_slots_and_ids() {
    let mut world = two_emitters(9);
    run(&mut world, "emit/plan");
    assert_eq!(world.emission, [[1, 4], [1, 6]]);
    assert_eq!(world.emitter_layers, [2, 1]);
    assert_eq!([world.control.particle_count, world.control.next_id], [9, 15]);

    run(&mut world, "emit/points");
    // Layers have travelled for 0.0625 s and 0.125 s.
    assert_eq!(world.position[4], [0.125, 0.0, 0.0, 1.0]);
    assert_eq!(world.position[5], [1.125, 0.0, 0.0, 1.0]);
    assert_eq!(world.position[6], [2.0, -0.5, 0.0, 7.0]);
    assert_eq!(world.position[8], [4.0, -0.5, 0.0, 7.0]);
    assert_eq!(world.velocity[5], [2.0, 0.0, 0.0, 0.0]);
    assert_eq!(world.velocity[8], [0.0, -4.0, 0.0, 0.0]);
    let identities = [[10, 0], [11, 0], [12, 3 << 8], [13, 3 << 8], [14, 3 << 8]];
    assert_eq!(world.identity[4..], identities);
    assert_eq!(world.identity[3], [3, 0]);

    // The first has emitted its last layer, the second's next one leaves at 0.3125 s.
    run(&mut world, "emit/plan");
    assert_eq!(world.emission, [[0, 9], [0, 9]]);
    assert_eq!([world.control.particle_count, world.control.next_id], [9, 15]);
    let before = world.clone();
    run(&mut world, "emit/points");
    assert_eq!(world.position, before.position);
}

#[test]
fn emission_waits_for_room_time_and_the_first_step() {
    let due = |change: fn(&mut World), capacity| {
        let mut world = two_emitters(capacity);
        change(&mut world);
        run(&mut world, "emit/plan");
        (world.emission[0][0], world.emission[1][0])
    };
    assert_eq!(due(|_| {}, 9), (1, 1));
    assert_eq!(due(|_| {}, 8), (1, 0));
    assert_eq!(due(|_| {}, 5), (0, 0));
    assert_eq!(due(|world| world.emitters[0].max_layers = 1, 8), (0, 1));
    assert_eq!(due(|world| world.control.primed = 0, 9), (0, 0));
    assert_eq!(due(|world| world.emitters[1].end = 0.06, 9), (1, 0));
    assert_eq!(due(|world| world.control.frame = 1, 9), (0, 1));
    assert_eq!(due(|world| world.control.frame = 0, 9), (0, 1));
}

#[test]
fn drains_mark_what_is_inside() {
    let mut params = params(3, 1);
    params.counts.drains = 1;
    params.grid.period = Vec3::X * 10.0;
    let mut world = world(params, &[DVec3::X * -4.5, DVec3::X * -4.0, DVec3::X * 3.5]);
    world.identity[0] = [5, pack_identity(KIND_FLUID, 2, 9)];
    world.regions = vec![Collider {
        shape: SHAPE_SPHERE,
        radius: 1.0,
        position: Vec3::X * 4.75,
        rotation: glam::Vec4::W,
        ..<_>::default()
    }];
    // 0.75, 1.25 and 1.25 away.
    run(&mut world, "emit/drain");
    assert_eq!(world.identity[0], [5, pack_identity(KIND_REMOVED, 2, 9)]);
    assert_eq!([world.identity[1][1], world.identity[2][1]], [0, 0]);
}
