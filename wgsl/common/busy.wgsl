// Active cells: those that may have something to do, for passes over BUSY_CELLS (grid/busy finds them, grid/list lists them).
//!include common/cell_blocks

//!read busy_blocks

// Place in the list of its first block: after its length and, of several worlds, the ends of the blocks of each.
fn first_listed() -> u32 {
    return 1u + select(0u, params.counts.worlds, has_worlds());
}

// The k-th cell of the listed blocks, perhaps beyond the box.
fn listed_cell(k: u32) -> vec3<i32> {
    return cell_in_block(busy_blocks[first_listed() + k / 8u], k % 8u);
}

// Cell of an invocation; beyond the box if it has none.
fn busy_cell(number: u32) -> vec3<i32> {
    // Smoke, which has a source or a vortex, fills the box: all cells, in their order, in which those of the lanes beside are
    // neighbours along x. Not by the uniforms alone (docs/adding.md).
    let fills = IS_SMOKE | (params.counts.sources + params.counts.vortices > 0u);
    if (fills & (number < params.grid.cell_count)) { return cell_at(number); }
    if (fills | (number / 8u >= busy_blocks[0])) { return vec3<i32>(-1); }
    return listed_cell(number);
}

// Number of workgroups of passes over busy cells.
fn busy_groups() -> u32 {
    return (busy_blocks[0] + 7u) / 8u;
}
