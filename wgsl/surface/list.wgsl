// List of blocks: surface_block, on entry the exclusive prefix sums of surface_flag, becomes each
// cell's block index, OUTSIDE or INSIDE; surface_tiles gets the block's fineness³ tiles. The last
// cell's invocation knows the number of blocks, and so sets the workgroups of the next passes: none
// if the blocks do not fit.
//!include common/control
//!include common/cells
//!include common/surface

//!read surface_state surface_flag
//!write surface_block surface_tiles surface_control surface_dispatch

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let block = surface_block[i];
    let flag = surface_flag[i];
    let capacity = surface_control[0].block_capacity;
    if (flag == 0u) {
        surface_block[i] = select(INSIDE, OUTSIDE, surface_state[i] == 0u);
    } else if (block < capacity) {
        let n = surface_control[0].fineness;
        let per_block = tiles_per_block(n);
        let cell = cell_at(i);
        for (var k = 0u; k < per_block; k++) {
            let place = vec3<u32>(k % n, k / n % n, k / (n * n));
            surface_tiles[block * per_block + k] = vec4<i32>(cell, pack_tile(place, block * per_block + k));
        }
    }
    if (i == stage.element_count - 1u) {
        let count = block + flag;
        let tiles = count * tiles_per_block(surface_control[0].fineness);
        surface_control[0].block_count = count;
        let fits = count <= capacity;
        surface_dispatch[0] = INDIRECT_ROW;
        surface_dispatch[1] = select(0u, rows((tiles + FIELD_TILES - 1u) / FIELD_TILES), fits);
        surface_dispatch[2] = 1u;
        surface_dispatch[3] = INDIRECT_ROW;
        surface_dispatch[4] = select(0u, rows(tiles), fits);
        surface_dispatch[5] = 1u;
    }
}
