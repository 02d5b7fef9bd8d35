// List of all blocks of cells, of methods whose fields fill the box, and workgroups of the passes over their cells.
//!include common/control_write
//!include common/cell_blocks
//!include shared/blocks

//!write busy_blocks busy_dispatch

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= stage.element_count) { return; }
    busy_blocks[k + 1u] = k;
    if (k == 0u) {
        // Eight blocks a workgroup.
        let groups = (stage.element_count + 7u) / 8u;
        let size = vec3<u32>(min(groups, INDIRECT_ROW), (groups + INDIRECT_ROW - 1u) / INDIRECT_ROW, 1u);
        for (var axis = 0u; axis < 3u; axis++) { busy_dispatch[axis] = size[axis]; }
        control.cluster_groups = size;
        control.loop_groups = array<vec3<u32>, 2>(size, size);
        busy_blocks[0] = stage.element_count;
    }
}
