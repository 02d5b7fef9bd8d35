// A failure where a cell has more particles than sums over its neighbourhood can take.
//!include common/control_write
//!include common/box

//!read cell_start sorted_identity

// Of a cell of the box.
fn check_crowd(cell: vec3<i32>) {
    let c = cell_number(cell);
    let first = cell_start[c];
    if (cell_start[c + 1u] - first > MAX_CROWD) {
        atomicOr(&control.pending_failure, FAILURE_CROWD);
        atomicMin(&control.failure_id, sorted_identity[first].x);
    }
}
