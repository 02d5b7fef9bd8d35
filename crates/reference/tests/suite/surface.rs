//! The surface of a few particles, by hand: cells, field and mesh.

use glam::{DMat3, DVec3};
use meniscus_model::surface::SurfaceControl;
use meniscus_reference::{World, run};

use crate::fixture::{assert_close, assert_near, params, world, xyz};

/// Poly6 of unit support at its centre: 315 / 64π.
const PEAK: f64 = 1.566_681_471_060_845;

/// The box is 5 × 4 × 3 cells of 1 m.
const CELLS: u32 = 60;

fn with_room(positions: &[DVec3]) -> World {
    let mut world = world(params(3, 1), positions);
    world.make_room(SurfaceControl {
        iso: 0.5,
        fineness: 2,
        block_capacity: CELLS,
        vertex_capacity: 20_000,
        index_capacity: 100_000,
        ..SurfaceControl::default()
    });
    world
}

fn number(x: usize, y: usize, z: usize) -> usize {
    x + 5 * (y + 4 * z)
}

#[test]
fn volumes_are_mass_over_density() {
    let mut world = world(params(3, 1), &[DVec3::ZERO, DVec3::X]);
    world.order = vec![1, 0];
    world.position[0][3] = 4.0;
    world.position[1][3] = 0.5;
    run(&mut world, "surface/volume");
    assert_eq!([world.sorted_position[0][3], world.sorted_position[1][3]], [2.0, 0.25]);
}

#[test]
fn the_field_of_a_particle_is_its_kernel() {
    let center = DVec3::new(2.75, 1.75, 1.75);
    let mut world = with_room(&[center]);
    world.params.kernel.density_calibration = 0.5;
    for pass in ["mark", "touch", "list", "field"] {
        run(&mut world, &format!("surface/{pass}"));
    }
    // All three coordinates are three quarters up: 8 cells; nodes are 1/8 apart.
    let block = world.surface_block[number(2, 1, 1)] as usize;
    // Node (6, 6, 6) of the cell: tile (1, 1, 1), its node (2, 2, 2).
    let slot = (8 * block + 7) * 64 + 42;
    assert_close(world.surface_field[slot], 0.5 * PEAK, 1e-12);
    // Two nodes back along x: r = 1/4.
    assert_close(world.surface_field[slot - 2], 0.5 * PEAK * (1.0_f64 - 0.0625).powi(3), 1e-12);
    // The cell below has no block: on the lower face the field is 0, though the particle is near.
    let on_face = (8 * block + 3) * 64 + 10;
    assert_eq!(world.surface_field[on_face], 0.0);
}

#[test]
fn smoothing_goes_towards_the_mean_or_away_from_it() {
    let mut world = with_room(&[]);
    world.surface_control.vertex_count = 5;
    let places = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(3.0, -1.0, 1.0)];
    for (i, place) in places.into_iter().enumerate() {
        world.surface_position[i] = place.extend(7.0).to_array();
        world.surface_ring[i] = [1, 2, 3, 4];
    }
    for factor in [0.5, -0.53] {
        world.taubin_factor = vec![factor];
        run(&mut world, "surface/smooth");
        assert_near(xyz(world.surface_smoothed[0]), factor * DVec3::new(1.0, 0.0, 0.5));
        assert_eq!(world.surface_smoothed[0][3], 7.0);
    }
}

#[test]
fn velocities_are_means_of_those_near() {
    let mut world = with_room(&[DVec3::X, DVec3::new(2.0, 0.0, 0.0)]);
    world.sorted_velocity[0] = [3.0, 0.0, 0.0, 9.0];
    world.sorted_velocity[1] = [0.0, 4.0, 0.0, 9.0];
    world.surface_control.vertex_count = 3;
    world.surface_position[0] = [1.5, 0.0, 0.0, 1.0];
    world.surface_position[1] = [0.5, 0.0, 0.0, 1.0];
    world.surface_position[2] = [9.0, 0.0, 0.0, 1.0];
    run(&mut world, "surface/velocity");
    let velocities: Vec<_> = world.surface_velocity[..3].iter().map(|v| v[..3].to_vec()).collect();
    assert_eq!(velocities, [[1.5, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0; 3]]);
}

#[test]
fn splats_face_away_from_the_others() {
    let mut world = with_room(&[DVec3::X, DVec3::new(1.5, 0.0, 0.0), DVec3::new(9.0, 0.0, 0.0)]);
    world.sorted_velocity[1] = [0.0, 3.0, 4.0, 9.0];
    run(&mut world, "surface/splat");
    // 6 · PEAK · (1 − r²)² r at r = 1/2.
    let steepness = 6.0 * PEAK * 0.5625 * 0.5;
    assert_near(xyz(world.splat_normal[0]), DVec3::NEG_X);
    assert_near(xyz(world.splat_normal[1]), DVec3::X);
    assert_close(world.splat_position[0][3], steepness, 1e-12);
    assert_eq!(world.splat_normal[1][3], 5.0);
    // A single particle has no side.
    assert_eq!((world.splat_position[2][3], world.splat_normal[2][1]), (0.0, 1.0));
}

#[test]
fn kernels_flatten_in_a_sheet_whatever_its_direction() {
    let turn = DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.7);
    for turn in [DMat3::IDENTITY, turn] {
        let places =
            (0..441).map(|i| 0.125 * DVec3::new(f64::from(i % 21), f64::from(i / 21), 0.0));
        let places: Vec<_> =
            places.map(|place| turn * (place - DVec3::new(1.25, 1.25, 0.0))).collect();
        let mut world = with_room(&places);
        world.order = (0..441).rev().collect();
        run(&mut world, "surface/shape");
        // In the middle of the sheet the centre does not move.
        let [xx, yy, zz, det, yz, xz, xy, _] = world.surface_shape[220];
        assert_near(xyz(world.smoothed_position[220]), DVec3::ZERO);
        // Variances are ∫(1−r³)r³ / 2∫(1−r³)r = 5/28 in the sheet, more than 0.15, and a quarter of
        // that is used across it.
        let a = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        let stretch = |v: DVec3| (turn * v).dot(a * (turn * v));
        assert_close(stretch(DVec3::X), 1.0, 1e-9);
        assert_close(stretch(DVec3::Y), 1.0, 1e-9);
        let across = 0.15 * 4.0 * 28.0 / 5.0;
        assert_close(stretch(DVec3::Z), across, 0.03);
        assert_close(det, across, 0.03);
    }
}

#[test]
fn few_particles_are_round_and_particles_in_one_place_are_small() {
    let mut world = with_room(&[DVec3::ZERO, DVec3::X * 0.5]);
    world.order = vec![0, 1];
    run(&mut world, "surface/shape");
    for shape in &world.surface_shape {
        for (found, expected) in shape.iter().zip([2.0, 2.0, 2.0, 8.0, 0.0, 0.0, 0.0, 0.0]) {
            assert_close(*found, expected, 1e-12);
        }
    }
    // 0.9 of what the mean offset is beyond that of a flat surface: weights are 1 and 1 − 1/8.
    let shift = 0.9 * (0.5 * 0.875 / 1.875 - 0.16);
    assert_near(xyz(world.smoothed_position[0]), DVec3::X * shift);
    assert_near(xyz(world.smoothed_position[1]), DVec3::X * (0.5 - shift));

    let mut world = with_room(&[DVec3::ONE; 7]);
    run(&mut world, "surface/shape");
    assert_eq!(world.surface_shape[0], [8.0, 8.0, 8.0, 512.0, 0.0, 0.0, 0.0, 0.0]);
    assert_near(xyz(world.smoothed_position[0]), DVec3::ONE);
}

#[test]
fn the_anisotropic_field_is_of_stretched_kernels() {
    let mut world = with_room(&[DVec3::new(2.5, 1.5, 1.5)]);
    world.order = vec![0];
    world.surface_shape[0] = [2.0, 1.0, 1.0, 2.0, 0.0, 0.0, 0.5, 0.0];
    for pass in ["mark", "touch", "list", "field_anisotropic"] {
        run(&mut world, &format!("surface/{pass}"));
    }
    // Nodes 1/8 along x and y from the particle: |A r|² = (2² + 0.5²) / 64 and (1² + 0.5²) / 64.
    let slot = (8 * world.surface_block[number(2, 1, 1)] as usize + 7) * 64;
    for (step, squared) in [(0, 0.0), (1, 4.25), (4, 1.25)] {
        let expected = 2.0 * PEAK * (1.0_f64 - squared / 64.0).powi(3);
        assert_close(world.surface_field[slot + step], expected, 1e-12);
    }
}
