//! Limits, diagnostics and the world's buffers.

use glam::{DVec3, Vec3, Vec4};
use meniscus_model::control::{FAILURE_NOT_FINITE, FAILURE_RUNAWAY};
use meniscus_model::params::{Collider, KIND_FLUID, KIND_REMOVED, SHAPE_BOX, pack_identity};
use meniscus_reference::{DIAGNOSTICS_BLOCKS, Values, World, run};

use crate::fixture::{Random, assert_close, params, world};

#[test]
fn limits_name_the_smallest_id_at_fault() {
    let mut world = world(params(3, 1), &[DVec3::ONE; 4]);
    for i in 0..4 {
        world.identity[i][0] = 40 - i as u32;
        world.velocity[i] = [0.0, 3.0, -4.0, f64::NAN];
    }
    run(&mut world, "check/limits");
    assert_eq!((world.control.pending_failure, world.control.failure_id), (0, u32::MAX));
    assert_eq!(world.control.max_speed(), 5.0);

    world.velocity[1][2] = f64::NAN;
    run(&mut world, "check/limits");
    assert_eq!((world.control.pending_failure, world.control.failure_id), (FAILURE_NOT_FINITE, 39));
    assert_eq!(world.control.max_speed(), 5.0);

    // 2²⁰ cells from the origin is a runaway, on either side; one less is not.
    let far = f64::from(1 << 20);
    world.position[0][1] = far - 1.0;
    world.position[2][2] = 1.0 - far;
    run(&mut world, "check/limits");
    assert_eq!(world.control.pending_failure, FAILURE_NOT_FINITE);
    world.position[2][2] = -far;
    run(&mut world, "check/limits");
    let both = FAILURE_NOT_FINITE | FAILURE_RUNAWAY;
    assert_eq!((world.control.pending_failure, world.control.failure_id), (both, 38));
    world.position[3][0] = f64::INFINITY;
    run(&mut world, "check/limits");
    assert_eq!((world.control.pending_failure, world.control.failure_id), (both, 37));
}

#[test]
fn diagnostics_of_two_particles_are_those_made_by_hand() {
    let mut params = params(3, 1);
    (params.materials[0].mass, params.materials[0].rest_density) = (2.0, 8.0);
    (params.materials[1].mass, params.materials[1].rest_density) = (3.0, 4.0);
    let mut world = world(params, &[DVec3::new(1.0, 2.0, 0.0), DVec3::X * -1.0, DVec3::ONE * 9.0]);
    world.position[0][3] = 10.0;
    world.position[1][3] = 2.0;
    world.velocity[0] = [0.0, 4.0, 0.0, 0.0];
    world.velocity[1] = [0.0, 0.0, 2.0, 0.0];
    world.identity[1][1] = pack_identity(KIND_FLUID, 1, 0);
    world.identity[2][1] = KIND_REMOVED;
    // The wall at −0.5 is half a metre from particle 1.
    world.set_colliders(&[Collider {
        shape: SHAPE_BOX,
        inside: 1,
        closed: 1,
        half_extents: Vec3::new(1.0, 3.0, 1.0),
        position: 0.5 * Vec3::X,
        rotation: Vec4::W,
        ..<_>::default()
    }]);
    run(&mut world, "diagnostics/partial");
    run(&mut world, "diagnostics/total");
    let expected = [
        [0.0, 8.0, 6.0, 5.0],
        [0.0, 6.0, 8.0, 22.0],
        [-1.0, 4.0, 0.0, 0.25],
        [-1.0, 0.0, 0.0, 0.25],
        [1.0, 2.0, 0.0, 4.0],
        [2.0, 1.0, 0.0, 0.0],
    ];
    assert_eq!(rows(&world), expected);
    // No particle is lost within a particle radius of the wall, or beyond an open wall.
    world.params.world.particle_radius = 0.5;
    run(&mut world, "diagnostics/partial");
    run(&mut world, "diagnostics/total");
    assert_eq!(rows(&world)[5], [2.0, 0.0, 0.0, 0.0]);
    (world.params.world.particle_radius, world.colliders[0].closed) = (0.25, 0);
    run(&mut world, "diagnostics/partial");
    run(&mut world, "diagnostics/total");
    assert_eq!(rows(&world)[5], [2.0, 0.0, 0.0, 0.0]);
}

/// Rows of four of the diagnostics.
fn rows(world: &World) -> &[[f64; 4]] {
    world.diagnostics[0].as_chunks().0
}

#[test]
fn diagnostics_go_round_the_blocks() {
    let n = 64 * DIAGNOSTICS_BLOCKS + 1;
    let mut random = Random::new(2);
    let positions: Vec<DVec3> = (0..n).map(|_| random.vector(1.0, 3)).collect();
    let mut world = world(params(3, 1), &positions);
    run(&mut world, "diagnostics/partial");
    run(&mut world, "diagnostics/total");
    assert_eq!(world.diagnostics_partial.len(), DIAGNOSTICS_BLOCKS);
    let count = |block: usize| world.diagnostics_partial[block][20];
    assert_eq!([count(0), count(1), count(255)], [65.0, 64.0, 64.0]);
    let sum: DVec3 = positions.iter().sum();
    assert_close(rows(&world)[2][0], sum.x, 1e-12);
    assert_eq!(rows(&world)[5][0], n as f64);
    let highest = positions.iter().map(|x| x.y).fold(f64::MIN, f64::max);
    assert_eq!(rows(&world)[4][1], highest);
}

#[test]
fn diagnostics_of_nothing_have_inverted_bounds() {
    let mut world = world(params(3, 1), &[]);
    run(&mut world, "diagnostics/partial");
    run(&mut world, "diagnostics/total");
    let far = f64::from(3.0e38_f32);
    assert_eq!(rows(&world)[0], [0.0; 4]);
    assert_eq!(rows(&world)[3], [far, far, far, 0.0]);
    assert_eq!(rows(&world)[4], [-far, -far, -far, 0.0]);
}

#[test]
fn every_buffer_is_reached_by_its_name() {
    let mut world = world(params(3, 7), &[]);
    let mut lengths = Vec::new();
    let mut structs = Vec::new();
    for name in World::BUFFERS {
        let (width, scalars) = match world.buffer(name) {
            Some(Values::Floats { width, data }) => {
                data.fill(0.1);
                (width, data.len())
            }
            Some(Values::Words { width, data }) => (width, data.len()),
            None => {
                structs.push(*name);
                continue;
            }
        };
        assert!(scalars >= width && scalars % width == 0, "{name}");
        lengths.push((*name, scalars / width));
    }
    for expected in [
        ("position", 7),
        ("acceleration", 7),
        ("binned", 7),
        ("cell_count", 121),
        ("cell_start", 121),
        ("emission", 1),
        ("diagnostics_partial", 256),
        ("diagnostics", 1),
    ] {
        assert!(lengths.contains(&expected), "{expected:?}");
    }
    let host = [
        "colliders",
        "distance_field",
        "field_boxes",
        "field_triangles",
        "regions",
        "emitters",
        "openings",
    ];
    assert_eq!(structs, [&host[..], &["surface_control"]].concat());

    world.round_to_f32();
    assert_eq!(world.density[6], f64::from(0.1_f32));
    assert_eq!(world.diagnostics[0], [f64::from(0.1_f32); 24]);
}

#[test]
#[should_panic(expected = "the reference has no pass `sph/dens`")]
fn an_unknown_pass_panics() {
    run(&mut world(params(3, 1), &[]), "sph/dens");
}
