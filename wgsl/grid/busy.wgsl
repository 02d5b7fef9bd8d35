// Active cells, by blocks of 8: 1 if particles are in the block or in the cells around it, as many layers as the method's
// fields need.
//!include common/control
//!include common/cell_blocks

//!read cell_start
//!write block_busy

// Number of particles in the cells of a row from one up to another.
fn between(row: u32, begin: i32, end: i32) -> u32 {
    return cell_start[row + u32(end)] - cell_start[row + u32(begin)];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= stage.element_count) { return; }
    let size = vec3<i32>(params.grid.size);
    let layers = params.grid.layers * vec3<i32>(1, 1, params.grid.z_reach);
    let corner = block_corner(k);
    let first = corner - layers;
    let end = corner + vec3<i32>(block_size()) + layers;
    // Periodic axes go on around their ends; others have nothing there.
    let periodic = params.grid.period > vec3<f32>(0.0);
    let all = periodic & (end - first >= size);
    let low = select(select(max(first, vec3<i32>(0)), first, periodic), vec3<i32>(0), all);
    let high = select(select(min(end, size), end, periodic), size, all);
    var found = 0u;
    for (var z = low.z; z < high.z; z++) {
        for (var y = low.y; y < high.y; y++) {
            let row = own_cells() + row_of(size, y, z);
            found += between(row, max(low.x, 0), min(high.x, size.x));
            if (!IS_PERIODIC) { continue; }
            found += between(row, min(low.x, 0) + size.x, size.x);
            found += between(row, 0, max(high.x - size.x, 0));
        }
    }
    // The last element is of no block: with it the sums' last one counts all.
    block_busy[k] = select(0u, 1u, found > 0u && in_box(corner) && k + 1u < stage.element_count);
}
