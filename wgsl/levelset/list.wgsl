// Slots of the particles of the surface or of a splash, by cell; list of the cells near them, in order, and workgroups of the passes
// over their columns of nodes.
//!include common/control
//!include common/free_surface
//!include shared/blocks

//!read cell_start tension_class levelset_start levelset_flag levelset_place
//!write levelset_slot levelset_cells levelset_dispatch

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    var place = levelset_start[i];
    for (var j = cell_start[i]; j < cell_start[i + 1u]; j++) {
        if (tension_class[j] < CLASS_SURFACE) { continue; }
        levelset_slot[place] = j;
        place += 1u;
    }
    let flag = levelset_flag[i];
    let cells = levelset_place[i] + flag;
    if (flag == 1u) { levelset_cells[cells - 1u] = i; }
    if (i == stage.element_count - 1u) {
        // Four cells a workgroup.
        let groups = (cells + 3u) / 4u;
        levelset_dispatch[0] = min(groups, INDIRECT_ROW);
        levelset_dispatch[1] = (groups + INDIRECT_ROW - 1u) / INDIRECT_ROW;
        levelset_dispatch[2] = 1u;
        levelset_dispatch[3] = cells;
    }
}
