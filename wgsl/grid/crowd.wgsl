// A failure of crowded cells (common/crowd), where all are listed.
//!include common/crowd
//!include common/busy

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (in_box(cell)) { check_crowd(cell); }
}
