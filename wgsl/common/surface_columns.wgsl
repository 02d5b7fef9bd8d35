// Columns of 4 nodes, one for each invocation of a pass that evaluates a field at the nodes of all blocks.
//
// Nodes on the lower faces of a block also belong to its lower neighbours: if one of those has no
// block, its constant 0 or 1 holds. So a cube without a block never has corners on both sides of
// the surface, and the mesh is always closed.
//!include common/control
//!include common/cells
//!include common/surface

//!read surface_control surface_block surface_tiles
//!write surface_field

const COLUMNS = 16u;

struct Column {
    // Whether there is one.
    live: bool,
    // Slot of its first node.
    slot: u32,
    // Cell of its block, and its first node's coordinates from that cell's.
    cell: vec3<i32>,
    place: vec3<i32>,
    // Nodes along an edge of a cell.
    per_cell: f32,
}

fn column_of(column: u32) -> Column {
    let fineness = surface_control[0].fineness;
    let tiles = tiles_per_block(fineness);
    let tile = column / COLUMNS;
    let live = tile < surface_control[0].block_count * tiles;
    let entry = surface_tiles[min(tile, surface_control[0].block_capacity * tiles - 1u)];
    let place = TILE * unpack_place(entry.w) + vec3<i32>(vec3<u32>(column & 3u, (column >> 2u) & 3u, 0u));
    return Column(live, tile * TILE_NODES + column % COLUMNS, entry.xyz, place, f32(TILE) * f32(fineness));
}

// Constant field of the cell's lower neighbour, or `value` if that has a block.
fn known(lower: vec3<i32>, value: f32) -> f32 {
    let block = select(OUTSIDE, surface_block[cell_number(max(lower, vec3<i32>(0)))], in_box(lower));
    return select(value, select(1.0, 0.0, block == OUTSIDE), block >= INSIDE);
}

// Writes the values of a column's nodes.
fn write_column(column: Column, own: vec4<f32>) {
    var values = own;
    // Neighbours below along x, y or both concern every node of the column, those along z only the
    // first.
    for (var k = 1; k < 8; k++) {
        let step = vec3<i32>(k & 1, (k >> 1u) & 1, k >> 2u);
        let on_face = all((column.place == vec3<i32>(0)) | (step == vec3<i32>(0)));
        let value = known(column.cell - step, -1.0);
        let forced = on_face && value >= 0.0;
        values = select(values, vec4<f32>(value), vec4<bool>(forced, vec3<bool>(forced && step.z == 0)));
    }
    if (column.live) {
        for (var k = 0u; k < 4u; k++) { surface_field[column.slot + COLUMNS * k] = values[k]; }
    }
}
