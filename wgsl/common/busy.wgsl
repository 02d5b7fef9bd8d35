// Active cells: those that may have something to do, for passes over BUSY_CELLS (grid/busy finds them, grid/list lists them).
//!include common/cell_blocks

//!read busy_blocks

// Cell of an invocation; beyond the box if it has none.
fn busy_cell(number: u32) -> vec3<i32> {
    // Smoke, which has a source or a vortex, fills the box: all cells, in their order, in which those of the lanes beside are
    // neighbours along x. Not by the uniforms alone (docs/adding.md).
    let fills = IS_SMOKE | (params.counts.sources + params.counts.vortices > 0u);
    if (fills & (number < params.grid.cell_count)) { return cell_at(number); }
    let k = number / 8u;
    if (fills | (k >= busy_blocks[0])) { return vec3<i32>(-1); }
    return cell_in_block(busy_blocks[k + 1u], number % 8u);
}

// Number of workgroups of passes over busy cells.
fn busy_groups() -> u32 {
    return (busy_blocks[0] + 7u) / 8u;
}
