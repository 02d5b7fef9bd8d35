// List of the blocks of active cells, in order, and workgroups of the passes over their cells.
//!include common/control_write
//!include common/cell_blocks
//!include shared/blocks

//!read block_busy block_start
//!write busy_blocks busy_dispatch

// Number of a world's blocks that have something to do.
fn busy_in(world: u32) -> u32 {
    let blocks = world_blocks();
    return block_start[(world + 1u) * blocks] - block_start[world * blocks];
}

// Lists a block where the blocks of each world begin with a workgroup of their own, so that sums over workgroups are those of the
// world alone: the last workgroup of each is filled up with a block beyond the box. The end of what has been listed.
fn list_in_world(k: u32) -> u32 {
    let blocks = world_blocks();
    let world = min(k / blocks, params.counts.worlds - 1u);
    let is_last = k == (world + 1u) * blocks - 1u || k == stage.element_count - 1u;
    if (block_busy[k] == 0u && !is_last) { return 0u; }
    var start = 0u;
    for (var before = 0u; before < world; before++) { start += (busy_in(before) + 7u) / 8u * 8u; }
    let first = 1u + params.counts.worlds;
    if (block_busy[k] == 1u) { busy_blocks[first + start + block_start[k] - block_start[world * blocks]] = k; }
    let count = busy_in(world);
    let end = start + (count + 7u) / 8u * 8u;
    if (k == (world + 1u) * blocks - 1u) {
        for (var at = start + count; at < end; at++) { busy_blocks[first + at] = k; }
        busy_blocks[1u + world] = end;
    }
    return end;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= stage.element_count) { return; }
    var start = block_start[k];
    if (!has_worlds()) {
        if (block_busy[k] == 1u) { busy_blocks[start + 1u] = k; }
    } else {
        start = list_in_world(k);
    }
    if (k == stage.element_count - 1u) {
        // Eight blocks a workgroup.
        let groups = (start + 7u) / 8u;
        let size = vec3<u32>(min(groups, INDIRECT_ROW), (groups + INDIRECT_ROW - 1u) / INDIRECT_ROW, 1u);
        for (var axis = 0u; axis < 3u; axis++) { busy_dispatch[axis] = size[axis]; }
        control.cluster_groups = size;
        control.loop_groups = array<vec3<u32>, 2>(size, size);
        busy_blocks[0] = start;
    }
}
