// The field of P2G before forces, known where the projected one is: both are then extrapolated from the same faces, or their
// difference would change particles that no pressure has reached.
//!include common/control
//!include common/busy

//!read face_gathered face_other
//!write face_before

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    face_before[c] = vec4<f32>(face_gathered[c].xyz, face_other[c].w);
}
