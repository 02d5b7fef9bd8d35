// Particles behind open boundaries have no pressure from the last step, which pushed them when they were in front.
//!include common/opening_buffer

//!write kappa

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (opening_of(s) != NO_OPENING) { kappa[s] = 0.0; }
}
