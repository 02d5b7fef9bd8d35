// The gathered field, known where the projected one is: both are then extrapolated from the same faces, or their
// difference would change particles that no pressure has reached (HYBRIDS 1.2).
//!include common/control

//!read face_gathered face_other
//!write face_before

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    face_before[c] = vec4<f32>(face_gathered[c].xyz, face_other[c].w);
}
