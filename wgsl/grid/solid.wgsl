// Solids on the grid: signed distance of the nearest wall from the lower corner of each cell, at most two cells, and the
// volume fraction that is not solid, the share of the hat around its centre that the wall nearest to that leaves free, 1 −
// M(φ/Δx): M(d) = ½ (1 − d)² for 0 ≤ d ≤ 1 is the integral of the hat 1 − |s| over s > d, 1 − ½ (1 + d)² for −1 ≤ d < 0 that
// with the centre in the solid.
//!include common/nearest_wall
//!include common/hat

//!write solid_distance solid_share

const LEAST_SHARE = 0.02;

// In cells, within ±limit.
fn distance_in_cells(x: vec3<f32>, limit: f32) -> f32 {
    return clamp(nearest_wall(x).distance / params.grid.cell, -limit, limit);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let center = cell_center(cell_at(c));
    let in_z = select(0.0, 1.0, axes() == 3u);
    solid_distance[c] = distance_in_cells(center - 0.5 * params.grid.cell * vec3<f32>(1.0, 1.0, in_z), 2.0);
    let d = distance_in_cells(center, 1.0);
    let covered = select(1.0 - 0.5 * (1.0 + d) * (1.0 + d), 0.5 * (1.0 - d) * (1.0 - d), d >= 0.0);
    solid_share[c] = max(1.0 - covered, LEAST_SHARE);
}
