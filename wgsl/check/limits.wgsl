// The check at the end of a step (common/limits), where there are no walls that particles could run into.
//!include common/limits

//!read position velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    check_limits(element(global_id), local);
}
