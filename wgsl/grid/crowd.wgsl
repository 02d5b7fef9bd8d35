// A failure where a cell has more particles than sums over its neighbourhood can take.
//!include common/control_write
//!include common/busy

//!read cell_start sorted_identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let first = cell_start[c];
    if (cell_start[c + 1u] - first > MAX_CROWD) {
        atomicOr(&control.pending_failure, FAILURE_CROWD);
        atomicMin(&control.failure_id, sorted_identity[first].x);
    }
}
