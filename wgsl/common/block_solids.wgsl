// Solids near a block of cells (grid/near): at most 31, or all.
//!include common/cell_blocks

//!read block_solids

// Number of solids near a block.
fn solids_near(block: u32) -> u32 {
    return block_solids[block][0];
}

// The k-th of them.
fn solid_near(block: u32, k: u32) -> u32 {
    if (block_solids[block][0] > 31u) { return own_solid(k); }
    return block_solids[block][k + 1u];
}

// The block of a point, of one beyond the box the nearest.
fn block_at(x: vec3<f32>) -> u32 {
    let cell = vec3<i32>(floor((x - params.grid.origin) * params.grid.inverse_cell));
    let last = vec3<i32>(params.grid.size) - 1;
    return block_of(clamp(select(cell, wrap_cell(cell), params.grid.period > vec3<f32>(0.0)), vec3<i32>(0), last));
}
