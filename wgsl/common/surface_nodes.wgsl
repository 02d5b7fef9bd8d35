// The nodes of the surface's blocks by place in the box. The node of place (0, 0, 0) is the corner
// of cell (0, 0, 0); node (4·fineness)·c is the lower corner of cell c.
//!include common/cells
//!include common/surface

@group(1) @binding(0) var<storage, read> surface_control: array<SurfaceControl>;
@group(1) @binding(1) var<storage, read> surface_block: array<u32>;
@group(1) @binding(2) var<storage, read> surface_cells: array<u32>;

// Whether a tile is in use: dispatches are folded and may overshoot.
fn tile_is_live(tile: u32) -> bool {
    return tile < surface_control[0].block_count * tiles_per_block(surface_control[0].fineness);
}

// Place of a tile's first node.
fn tile_origin(tile: u32) -> vec3<i32> {
    let fineness = surface_control[0].fineness;
    let per_block = tiles_per_block(fineness);
    let block = min(tile / per_block, surface_control[0].block_capacity - 1u);
    let cell = cell_at(surface_cells[block]);
    return TILE * (i32(fineness) * cell + tile_place(tile % per_block, fineness));
}

// Slot of a node in surface_field and surface_nodes, or OUTSIDE or INSIDE where it has none.
fn slot_of(node: vec3<i32>) -> u32 {
    let fineness = i32(surface_control[0].fineness);
    let tile = node >> vec3<u32>(2u);
    let cell = tile / fineness;
    if (any(node < vec3<i32>(0)) || !in_box(cell)) { return OUTSIDE; }
    let block = surface_block[cell_number(cell)];
    if (block >= INSIDE) { return block; }
    let place = vec3<u32>(tile - cell * fineness);
    let f = u32(fineness);
    let local = vec3<u32>(node & vec3<i32>(3));
    let number = (block * f + place.z) * f * f + place.y * f + place.x;
    return number * TILE_NODES + local.z * 16u + local.y * 4u + local.x;
}
