// Shared by passes that evaluate a field at the nodes of all blocks. An invocation has a column of
// 4 nodes, so that it loads each particle only once for all of them.
//
// Nodes on the lower faces of a block also belong to its lower neighbours: if one of those has no
// block, its constant 0 or 1 holds. So a cube without a block never has corners on both sides of
// the surface, and the mesh is always closed.
//
// The surface of one material among others is that of all fluid, or where its field equals that of the others: with
// volumes less than 0 for these, min(Σ |V| W, s + ½ Σ V W) for the surface's value s. So surfaces of materials that touch
// meet.
//
// A pass that includes this file defines load and visit (common/neighbours); visit calls add.
//!include common/control
//!include common/cells
//!include common/surface
//!include common/kernels
//!include common/neighbours

//!gather sorted_position
//!read surface_control surface_block surface_tiles
//!write surface_field

const COLUMNS = 16u;

// Heights in m of the column's nodes above the first.
var<private> heights: vec4<f32>;
// Σ V W and Σ |V| W for each node.
var<private> sum: vec4<f32>;
var<private> whole: vec4<f32>;

fn add(volume: f32, kernels: vec4<f32>) {
    sum += volume * kernels;
    whole += abs(volume) * kernels;
}

// Constant field of the cell's lower neighbour, or `value` if that has a block.
fn known(lower: vec3<i32>, value: f32) -> f32 {
    let block = select(OUTSIDE, surface_block[cell_number(max(lower, vec3<i32>(0)))], in_box(lower));
    return select(value, select(1.0, 0.0, block == OUTSIDE), block >= INSIDE);
}

fn evaluate_column(column: u32) {
    let fineness = surface_control[0].fineness;
    let tiles = tiles_per_block(fineness);
    let tile = column / COLUMNS;
    let live = tile < surface_control[0].block_count * tiles;
    let entry = surface_tiles[min(tile, surface_control[0].block_capacity * tiles - 1u)];
    let cell = entry.xyz;
    let place = TILE * unpack_place(entry.w) + vec3<i32>(vec3<u32>(column & 3u, (column >> 2u) & 3u, 0u));
    let per_cell = f32(TILE) * f32(fineness);
    let node = vec3<f32>(cell) + vec3<f32>(place) / per_cell;
    heights = vec4<f32>(0.0, 1.0, 2.0, 3.0) / (per_cell * params.grid.inverse_cell.z);
    sum = vec4<f32>(0.0);
    whole = vec4<f32>(0.0);
    for_each_candidate_from(0u, cell, params.grid.origin + node / params.grid.inverse_cell, live);
    var values = kernel.density_calibration * sum;
    if (surface_control[0].material != 0u) {
        values = min(kernel.density_calibration * whole, surface_control[0].iso + 0.5 * values);
    }
    // Neighbours below along x, y or both concern every node of the column, those along z only the
    // first.
    for (var k = 1; k < 8; k++) {
        let step = vec3<i32>(k & 1, (k >> 1u) & 1, k >> 2u);
        let on_face = all((place == vec3<i32>(0)) | (step == vec3<i32>(0)));
        let value = known(cell - step, -1.0);
        let forced = on_face && value >= 0.0;
        values = select(values, vec4<f32>(value), vec4<bool>(forced, vec3<bool>(forced && step.z == 0)));
    }
    if (live) {
        let slot = tile * TILE_NODES + column % COLUMNS;
        for (var k = 0u; k < 4u; k++) { surface_field[slot + COLUMNS * k] = values[k]; }
    }
}
