// Stalls the step until the host has allocated room for all candidates: only this stage stays
// active, and the next recording resumes with it. Also counts the workgroups of passes over
// clusters, for adapters on which an indirect dispatch costs less than workgroups without work.
//!include common/control_write
//!include shared/blocks

//!read neighbour_start neighbours row_cluster_start

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    control.neighbours = neighbour_start[stage.element_count - 1u];
    // Workgroups of 64, so of 8 clusters each.
    let groups = (row_cluster_start[params.grid.cell_count / params.grid.size.x] + 7u) / 8u;
    let size = vec3<u32>(min(groups, INDIRECT_ROW), (groups + INDIRECT_ROW - 1u) / INDIRECT_ROW, 1u);
    control.cluster_groups = size;
    control.loop_groups = array<vec3<u32>, 2>(size, size);
    let fits = control.neighbours <= arrayLength(&neighbours);
    control.resume_lo = select(stage.number, 0u, fits);
    control.resume_hi = select(stage.number + 1u, WINDOW_OPEN, fits);
}
