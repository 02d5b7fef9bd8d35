// Cover of each cell, the volume fraction of liquid: what P2G found divided by the share of its hat that solids leave free
// (grid/solid), so that it is 1 beside walls as well.
//!include common/control
//!include common/busy

//!read solid_share
//!write cover

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    cover[c] /= solid_share[c];
}
