// Gravity and force fields at the faces.
//!include common/control
//!include common/hat
//!include common/force_fields
//!include common/busy

//!write face

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var u = face[c];
    for (var axis = 0u; axis < axes(); axis++) {
        var own = vec3<f32>(0.0);
        own[axis] = u[axis];
        u[axis] += control.dt * (gravity()[axis] + field_acceleration(face_center(cell, axis), own)[axis]);
    }
    face[c] = u;
}
