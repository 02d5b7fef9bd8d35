// Cells whose nodes were gathered in this step.
//!include common/busy

//!read block_busy

// Whether a cell's node was gathered in this step.
fn is_busy(cell: vec3<i32>) -> bool {
    if (!in_box(cell)) { return false; }
    // As block_corner, without divisions.
    let shift = select(vec3<u32>(1u, 1u, 1u), vec3<u32>(2u, 1u, 0u), params.world.dimensions == 2u);
    let blocks = (params.grid.size + (vec3<u32>(1u) << shift) - 1u) >> shift;
    let at = vec3<u32>(cell) >> shift;
    return block_busy[own_blocks() + at.x + blocks.x * (at.y + blocks.y * at.z)] == 1u;
}
