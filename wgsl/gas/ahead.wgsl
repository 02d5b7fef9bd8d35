// The field that viscosity acts on: with what pressure does (common/gas_push), so that gravity alone is not slowed at walls, and liquid at
// rest stays so.
//!include common/control
//!include common/gas_push
//!include common/busy

//!read face
//!write face_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    face_other[c] = vec4<f32>(face[c].xyz + control.dt * push_at(c), face[c].w);
}
