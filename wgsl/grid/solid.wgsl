// Solids on the grid: signed distance of the nearest wall from the lower corner of each cell, at most two cells, and the
// volume fraction that is not solid: the share of the hat around the cell's centre that walls leave free. The hat is the sum of hats
// half as wide, of ¼, ½, ¼ of its weight along each axis, so that corners and edges count. Of one of them a wall at d takes
// M(d): M(d) = ½ (1 − d)² for 0 ≤ d ≤ 1 is the integral of the hat 1 − |s| over s > d, 1 − ½ (1 + d)² for −1 ≤ d < 0 that
// with its centre in the solid. Walls of one container leave free the product of what each does; of several solids the one that
// leaves least counts.
//!include common/nearest_wall
//!include common/hat

//!write solid_distance solid_share

const LEAST_SHARE = 0.02;
// Distance in cells of a wall from a cell's centre within which it may reach into its hat, (1 + √3)/2.
const NEAR = 1.37;

// In cells, within ±limit.
fn distance_in_cells(x: vec3<f32>, limit: f32) -> f32 {
    return clamp(nearest_wall(x).distance / params.grid.cell, -limit, limit);
}

// Solids within reach of the cell's hat; of more than these, bodies of less than a cell, the others do not count.
const MOST_NEAR = 8u;
var<private> near: array<u32, MOST_NEAR>;
var<private> near_count: u32;

// Notes the solids within reach of a cell's centre; the distance in m of the nearest wall from there.
fn find_near(x: vec3<f32>) -> f32 {
    near_count = 0u;
    var nearest = 1e30;
    let block = block_at(x);
    for (var at = 0u; at < solids_near(block); at++) {
        let k = solid_near(block, at);
        let collider = posed(colliders[k], bodies[k]);
        let local = to_local(collider, x);
        var least = 1e30;
        for (var wall = 0u; wall < walls_of(collider).distinct; wall++) {
            least = min(least, wall_contact(collider, local, wall).distance);
        }
        nearest = min(nearest, least);
        if (least >= NEAR * params.grid.cell || near_count == MOST_NEAR) { continue; }
        near[near_count] = k;
        near_count++;
    }
    return nearest;
}

// Share of a hat half as wide around a place that walls leave free.
fn free_around(x: vec3<f32>) -> f32 {
    var least = 1.0;
    for (var at = 0u; at < near_count; at++) {
        let k = near[at];
        let collider = posed(colliders[k], bodies[k]);
        let local = to_local(collider, x);
        var free = 1.0;
        for (var wall = 0u; wall < walls_of(collider).distinct; wall++) {
            let d = clamp(2.0 * wall_contact(collider, local, wall).distance / params.grid.cell, -1.0, 1.0);
            let part = 0.5 * (1.0 - abs(d)) * (1.0 - abs(d));
            free *= select(part, 1.0 - part, d >= 0.0);
        }
        least = min(least, free);
    }
    return least;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let center = cell_center(cell_at(c));
    let in_z = select(0.0, 1.0, axes() == 3u);
    solid_distance[c] = distance_in_cells(center - 0.5 * params.grid.cell * vec3<f32>(1.0, 1.0, in_z), 2.0);
    let d = find_near(center) / params.grid.cell;
    var share = select(0.0, 1.0, d > 0.0);
    if (abs(d) < NEAR) {
        share = 0.0;
        let parts = select(9u, 27u, axes() == 3u);
        for (var k = 0u; k < parts; k++) {
            // −1, 0, 1 along each axis.
            let at = vec3<f32>(vec3<u32>(k % 3u, k / 3u % 3u, k / 9u)) - vec3<f32>(1.0, 1.0, in_z);
            let weights = 0.5 - 0.25 * abs(at);
            let weight = weights.x * weights.y * select(1.0, weights.z, axes() == 3u);
            share += weight * free_around(center + 0.5 * params.grid.cell * at);
        }
    }
    solid_share[c] = max(share, LEAST_SHARE);
}
