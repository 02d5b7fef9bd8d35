// Number of clusters of 8 fluid particles in each row of cells along x (common/clusters).
//!include common/control

//!read cell_start
//!write row_clusters

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let row = element(global_id);
    if (row >= stage.element_count) { return; }
    // One element more than there are rows, for the scan.
    let cells = params.grid.size.x;
    let begin = min(row * cells, params.grid.cell_count);
    let end = min(begin + cells, params.grid.cell_count);
    row_clusters[row] = (cell_start[end] - cell_start[begin] + 7u) / 8u;
}
