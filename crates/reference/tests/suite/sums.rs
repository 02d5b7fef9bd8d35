//! Density compared with sums over the square and the cubic lattice, computed apart from this code.

use glam::{DVec3, Vec3};
use meniscus_model::Params;
use meniscus_reference::{World, run};

use crate::fixture::{assert_close, params, world};

/// Sums of poly6 over the lattice of spacing 1, the particle itself included: h/spacing, dimension, Σ W.
const SUMS: [(f64, u32, f64); 8] = [
    (2.0, 3, 1.009_775_166_9),
    (2.4, 3, 1.000_765_627_1),
    (3.0, 3, 1.002_189_016_0),
    (4.0, 3, 0.999_997_751_1),
    (2.0, 2, 1.014_612_762_2),
    (2.4, 2, 0.995_283_677_5),
    (3.0, 2, 1.002_329_256_0),
    (4.0, 2, 1.000_469_110_0),
];

/// A block of `n` particles a side, h = 1, with the lattice's rest volumes.
fn lattice(params: Params, n: i32, ratio: f64) -> World {
    let spacing = 1.0 / ratio;
    let layers = if params.world.dimensions == 2 { 1 } else { n };
    let mut positions = Vec::new();
    for z in 0..layers {
        for y in 0..n {
            for x in 0..n {
                positions.push(DVec3::new(x.into(), y.into(), z.into()) * spacing);
            }
        }
    }
    let mut world = world(params, &positions);
    for position in &mut world.sorted_position {
        position[3] = spacing.powi(params.world.dimensions as i32);
    }
    world
}

#[test]
fn density_inside_a_block_is_the_lattice_sum() {
    for (ratio, dimensions, sum) in SUMS {
        let mut params = params(dimensions, 1);
        params.materials[0].rest_density = 1000.0;
        let mut world = lattice(params, 9, ratio);
        run(&mut world, "sph/density");
        let middle = world.density.len() / 2;
        assert_close(world.density[middle] / 1000.0, sum, 2e-10);
        // A corner lacks most of its neighbours.
        assert!(world.density[0] < 700.0);
    }
}

#[test]
fn density_on_periodic_axes_is_the_lattice_sum_everywhere() {
    for (ratio, dimensions, sum) in SUMS {
        let mut params = params(dimensions, 1);
        params.kernel.density_calibration = 0.5;
        params.grid.period = Vec3::splat((12.0 / ratio) as f32);
        if dimensions == 2 {
            params.grid.period.z = 0.0;
        }
        let mut world = lattice(params, 12, ratio);
        run(&mut world, "sph/density");
        for density in world.density {
            assert_close(density, 0.5 * sum, 2e-10);
        }
    }
}

#[test]
fn pairs_follow_the_positions() {
    let mut world = world(params(3, 1), &[DVec3::ZERO, DVec3::X * 0.5]);
    run(&mut world, "sph/density");
    let near = world.density[0];
    world.sorted_position[1][0] = 2.0;
    run(&mut world, "sph/density");
    assert_close(near - world.density[0], 0.660_943_745_6, 1e-10);
}

#[test]
fn density_counts_the_neighbours_volumes_and_the_own_rest_density() {
    let mut params = params(3, 1);
    params.materials[1].rest_density = 4.0;
    let mut world = world(params, &[DVec3::ZERO, DVec3::X * 0.5]);
    world.sorted_position[1][3] = 3.0;
    world.sorted_identity[1][1] = 1 << 8;
    run(&mut world, "sph/density");
    assert_close(world.density[0], 1.566_681_471_1 + 3.0 * 0.660_943_745_6, 1e-9);
    assert_close(world.density[1], 4.0 * (3.0 * 1.566_681_471_1 + 0.660_943_745_6), 1e-9);
}
