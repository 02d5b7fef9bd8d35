// Velocities after viscosity, without what gas/ahead added.
//!include common/control
//!include common/gas_push
//!include common/busy

//!read face_other
//!write face

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    face[c] = vec4<f32>(face_other[c].xyz - control.dt * push_at(c), face[c].w);
}
