// Per block of cells: 1 if particles are in it or in the cells around it, as many layers as the method's fields need.
//!include common/control
//!include common/cell_blocks

//!read cell_start
//!write block_busy

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= stage.element_count) { return; }
    let corner = block_corner(k);
    let block = vec3<i32>(block_size());
    let size = vec3<i32>(params.torus.size);
    let layers = params.torus.layers;
    let in_z = layers * params.torus.z_reach;
    let low = max(corner.x - layers, 0);
    let high = min(corner.x + block.x - 1 + layers, size.x - 1);
    var found = 0u;
    for (var z = corner.z - in_z; z < corner.z + block.z + in_z; z++) {
        for (var y = corner.y - layers; y < corner.y + block.y + layers; y++) {
            let row = row_of(size, y, z);
            found += cell_start[row + u32(high) + 1u] - cell_start[row + u32(low)];
            // Across the ends of a periodic axis.
            if (!IS_PERIODIC) { continue; }
            let last = row + u32(size.x - 1);
            found += select(0u, cell_start[last + 1u] - cell_start[last], corner.x == 0);
            found += select(0u, cell_start[row + 1u] - cell_start[row], corner.x + block.x >= size.x);
        }
    }
    // The last element is of no block: with it the sums' last one counts all.
    block_busy[k] = select(0u, 1u, found > 0u && k + 1u < stage.element_count);
}
