//! Clusters of particles and their neighbour candidates (`wgsl/neighbours/`).

use glam::{DVec3, I64Vec3};
use meniscus_methods::passes::INDIRECT_ROW;
use meniscus_model::control::WINDOW_OPEN;

use crate::World;
use crate::space::{clamped_cell, displacement, xyz};

/// Particles per cluster.
pub(crate) const CLUSTER: usize = 8;
/// Clusters per workgroup.
pub(crate) const GROUP_CLUSTERS: usize = 8;
/// Slots per entry of candidates.
const SLOTS: usize = 32;

/// Rows of cells along x.
fn row_count(world: &World) -> usize {
    (world.params.grid.cell_count / world.params.grid.size.x) as usize
}

/// Sorted slots of a row's fluid.
fn row_slots(world: &World, row: usize) -> std::ops::Range<usize> {
    let cells = world.params.grid.size.x as usize;
    let start = |cell: usize| world.cell_start[cell] as usize;
    start(row * cells)..start((row + 1) * cells)
}

/// Sorted slots of each cluster: rows in order, each split into clusters.
fn clusters(world: &World) -> Vec<std::ops::Range<usize>> {
    let pieces = |row: usize| {
        let slots = row_slots(world, row);
        slots.clone().step_by(CLUSTER).map(move |first| first..(first + CLUSTER).min(slots.end))
    };
    (0..row_count(world)).flat_map(pieces).collect()
}

/// Number of clusters per row.
pub(crate) fn rows(world: &mut World) {
    let rows = row_count(world);
    for row in 0..rows {
        world.row_clusters[row] = row_slots(world, row).len().div_ceil(CLUSTER) as u32;
    }
    world.row_clusters[rows] = 0;
}

/// Ranges of sorted slots in the cells around a cluster, first of fluid and then of walls: 3 × 3
/// rows, in each the cells from one before the first to one after the last that holds some of it.
fn around(world: &World, cluster: &std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    let size = world.params.grid.size.as_i64vec3();
    let cells: Vec<I64Vec3> = cluster
        .clone()
        .map(|s| clamped_cell(&world.params, xyz(world.sorted_position[s])).rem_euclid(size))
        .collect();
    let Some(cell) = cells.first() else { return Vec::new() };
    let leftmost = cells.iter().map(|c| c.x).min().unwrap_or(0);
    let rightmost = cells.iter().map(|c| c.x).max().unwrap_or(0);
    let mut ranges = Vec::new();
    let reach = i64::from(world.params.grid.z_reach);
    let rows = (-reach..=reach).flat_map(|dz| (-1..=1).map(move |dy| (dz, dy)));
    let own = world.params.world_of(world.sorted_identity[cluster.start]);
    let own = i64::from(own) * size.element_product();
    let walls = own + i64::from(world.params.grid.cell_count);
    for (first, (dz, dy)) in
        [own, walls].into_iter().flat_map(|first| rows.clone().map(move |row| (first, row)))
    {
        let y = (cell.y + dy).rem_euclid(size.y);
        let z = (cell.z + dz).rem_euclid(size.z);
        // Cells between the ends first, then those across the seam: each cell once.
        let columns = (leftmost - 1).max(0)..=(rightmost + 1).min(size.x - 1);
        let across = [leftmost - 1, rightmost + 1].map(|x| x.rem_euclid(size.x));
        let across = across.into_iter().filter(|x| !columns.contains(x)).map(|x| x..=x);
        for columns in [columns.clone()].into_iter().chain(across) {
            let start = |x: i64| {
                world.cell_start[(first + x + size.x * (y + size.y * z)) as usize] as usize
            };
            ranges.push(start(*columns.start())..start(*columns.end() + 1));
        }
    }
    ranges
}

/// Upper bound on the number of entries of each cluster's candidates.
pub(crate) fn count(world: &mut World) {
    let entries = |range: std::ops::Range<usize>| range.len().div_ceil(SLOTS) as u32;
    let counts: Vec<u32> = clusters(world)
        .iter()
        .map(|cluster| around(world, cluster).into_iter().map(entries).sum())
        .collect();
    world.neighbour_count.fill(0);
    world.neighbour_count[..counts.len()].copy_from_slice(&counts);
}

/// Stalls the step if there is no room for the candidates.
pub(crate) fn room(world: &mut World) {
    let total = world.neighbour_start[world.stage.element_count as usize - 1];
    world.control.neighbours = total;
    let rows = world.row_cluster_start.len() - 1;
    // Eight clusters a workgroup.
    let groups = world.row_cluster_start[rows].div_ceil(8);
    let size = [groups.min(INDIRECT_ROW), groups.div_ceil(INDIRECT_ROW), 1].into();
    world.control.cluster_groups = size;
    world.control.loop_groups.fill(size);
    let fits = total as usize <= world.neighbours.len();
    let stalled = (world.stage.number, world.stage.number + 1);
    let window = if fits { (0, WINDOW_OPEN) } else { stalled };
    (world.control.resume_lo, world.control.resume_hi) = window;
}

/// Candidates of each cluster: particles within slightly more than h of one of its particles.
pub(crate) fn list(world: &mut World) {
    let h = f64::from(world.params.kernel.support_radius);
    let found = clusters(world);
    world.clusters.fill([0; 4]);
    for (number, cluster) in world.clusters.iter_mut().enumerate().skip(found.len()) {
        *cluster = [0, 0, world.neighbour_start[number], world.neighbour_start[number]];
    }
    for (number, cluster) in found.iter().enumerate() {
        let places: Vec<DVec3> = cluster.clone().map(|s| xyz(world.sorted_position[s])).collect();
        let begin = world.neighbour_start[number] as usize;
        let near = |s: &usize| {
            let x = xyz(world.sorted_position[*s]);
            let away = |place: &DVec3| displacement(&world.params, x, *place).length_squared();
            places.iter().any(|place| away(place) < 1.001 * h * h)
        };
        let mut entries: Vec<[u32; 2]> = Vec::new();
        for s in around(world, cluster).into_iter().flatten().filter(near) {
            let s = s as u32;
            match entries.last_mut() {
                Some([first, bits]) if (*first..*first + SLOTS as u32).contains(&s) => {
                    *bits |= 1 << (s - *first);
                }
                _ => entries.push([s, 1]),
            }
        }
        let end = begin + entries.len();
        world.neighbours[begin..end].copy_from_slice(&entries);
        let slots = [cluster.start as u32, cluster.end as u32];
        world.clusters[number] = [slots[0], slots[1], begin as u32, end as u32];
    }
}
