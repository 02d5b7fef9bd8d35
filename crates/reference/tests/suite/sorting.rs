//! Keys, the counting sort and prefix sums.

use std::collections::BTreeMap;

use glam::DVec3;
use meniscus_model::params::{KIND_BOUNDARY, KIND_FLUID, KIND_REMOVED};
use meniscus_reference::{REDUCE_BLOCK, World, run};

use crate::fixture::{Random, params, world, xyz};

/// Cell that `sort/count` finds for a position.
fn counted(position: DVec3) -> Option<usize> {
    let mut world = world(params(3, 1), &[position]);
    run(&mut world, "sort/count");
    world.cell_count.iter().position(|&count| count == 1)
}

#[test]
fn keys_are_toroidal_also_for_negative_coordinates() {
    // The grid is 5 × 4 × 3 unit cells from the origin.
    let cases = [
        ([0.5, 0.5, 0.5], 0),
        ([1.5, 2.5, 0.5], 1 + 5 * 2),
        ([-0.5, 0.5, 0.5], 4),
        ([-5.0, 0.5, 0.5], 0),
        ([-5.000_001, 0.5, 0.5], 4),
        ([5.0, 4.5, 3.5], 0),
        ([-0.5, 4.5, -6.25], 4 + 5 * (4 * 2)),
        ([-123.5, -7.5, -0.01], 1 + 5 * 4 * 2),
    ];
    for (position, key) in cases {
        assert_eq!(counted(DVec3::from_array(position)), Some(key), "{position:?}");
    }
}

#[test]
fn cells_are_found_in_f32() {
    let mut params = params(3, 1);
    (params.grid.origin.x, params.grid.inverse_cell.x) = (-0.7, 1.0 / 0.3);
    let (origin, inverse) = (params.grid.origin.x, params.grid.inverse_cell.x);
    let narrow = |x: f32| ((x - origin) * inverse).floor();
    let wide = |x: f32| ((f64::from(x) - f64::from(origin)) * f64::from(inverse)).floor();
    let telling = |x: &f32| f64::from(narrow(*x)) != wide(*x);
    let positions: Vec<f32> = (0..1000).map(|k| k as f32 * 0.1).filter(telling).collect();
    assert!(!positions.is_empty(), "f32 and f64 agree everywhere: the test needs some that differ");
    for x in positions {
        let mut world = world(params, &[DVec3::X * f64::from(x)]);
        run(&mut world, "sort/count");
        assert_eq!(world.cell_count[narrow(x) as usize % 5], 1, "{x}");
    }
}

/// The sort's passes, with the scan of `cell_count` in two levels.
fn sort(world: &mut World) {
    run(world, "sort/count");
    world.values.clone_from(&world.cell_count);
    scan(world);
    world.cell_start.clone_from(&world.scanned);
    for pass in ["sort/bin", "sort/rank", "sort/live", "sort/reorder"] {
        run(world, pass);
    }
}

/// Prefix sums of `values`: the blocks' totals, their prefix sums (one block here), the blocks.
fn scan(world: &mut World) {
    let n = world.values.len();
    world.stage.element_count = n as u32;
    run(world, "reduce/sum");
    let blocks = n.div_ceil(REDUCE_BLOCK);
    let values = std::mem::replace(&mut world.values, world.totals.clone());
    let scanned = std::mem::replace(&mut world.scanned, vec![0; blocks]);
    world.stage.element_count = blocks as u32;
    run(world, "reduce/scan");
    world.values = values;
    world.offsets = std::mem::replace(&mut world.scanned, scanned);
    world.stage.element_count = n as u32;
    run(world, "reduce/scan");
    world.stage.element_count = world.params.counts.capacity;
}

#[test]
fn sorting_orders_by_kind_cell_and_place_and_drops_what_is_removed() {
    let mut random = Random::new(11);
    let n = 700;
    // Some particles have the same x.
    let mut positions: Vec<DVec3> = (0..n).map(|_| random.vector(7.0, 3)).collect();
    for i in (0..n - 1).step_by(7) {
        positions[i + 1] = positions[i] + DVec3::Y * 1e-3;
    }
    let mut params = params(3, 1);
    params.materials[2].rest_volume = 0.5;
    // Any id may belong to a wall.
    (params.counts.first_wall, params.counts.walls) = (0, 1009);
    let mut world = world(params, &positions);
    let mut live = BTreeMap::new();
    for i in 0..n {
        let id = (i as u32 * 257 + 13) % 1009;
        let removed = random.unit() < 0.1;
        let wall = random.unit() < 0.3;
        let kind = if wall { KIND_BOUNDARY } else { KIND_FLUID };
        world.identity[i] = [id, 2 << 8 | if removed { KIND_REMOVED } else { kind }];
        world.velocity[i] = random.vector(1.0, 3).extend(random.unit()).to_array();
        world.position[i][3] = -1.0;
        if !removed {
            live.insert(id, i);
        }
    }
    sort(&mut world);

    assert!(live.len() > 500 && live.len() < n);
    assert_eq!(world.control.particle_count as usize, live.len());
    let wall = |s: usize| world.sorted_identity[s][1] & 255 == KIND_BOUNDARY;
    let key = |s: usize| counted(xyz(world.sorted_position[s])).unwrap();
    let bucket =
        |s: usize| key(s) + if wall(s) { world.params.grid.cell_count as usize } else { 0 };
    let place = |s: usize| (bucket(s), world.sorted_position[s][0], world.sorted_identity[s][0]);
    for s in 0..live.len() {
        assert!(s == 0 || place(s - 1) < place(s), "slots {} and {s} are out of order", s - 1);
        let id = world.sorted_identity[s][0];
        let i = live.remove(&id).expect("each id once");
        assert!(!wall(s) || world.wall_slots[id as usize] == s as u32);
        assert_eq!(world.order[s] as usize, i);
        assert_eq!(xyz(world.sorted_position[s]), positions[i]);
        assert_eq!(world.sorted_position[s][3], if wall(s) { 1.0 } else { 0.5 });
        // The fluid's pressure lane is 0 until the solver computes it.
        let w = if wall(s) { world.velocity[i][3] } else { 0.0 };
        assert_eq!(world.sorted_velocity[s], xyz(world.velocity[i]).extend(w).to_array());
        let bucket = bucket(s);
        assert!((world.cell_start[bucket]..world.cell_start[bucket + 1]).contains(&(s as u32)));
    }
}
