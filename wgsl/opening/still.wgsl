// Pressure corrects no compression of particles behind open boundaries, which it cannot move: their factor is 0.
//!include common/opening_buffer

//!write factor

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (opening_of(s) == NO_OPENING) { return; }
    // Nor is there any.
    factor[s] = vec2<f32>(0.0, -1.0);
}
