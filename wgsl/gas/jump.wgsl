// What the jump of the pressure adds to the right-hand side of its equation, ± a_f times the jump.
//!include common/control
//!include common/hat
//!include common/busy

//!read coefficient gas_faces
//!write remainder

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    if (coefficient[c].w <= 0.0) { return; }
    var pushed = 0.0;
    for (var axis = 0u; axis < axes(); axis++) {
        let above = cell_number(wrap_next(cell + along(axis)));
        pushed += coefficient[c][axis] * gas_faces[c][1][axis] - coefficient[above][axis] * gas_faces[above][1][axis];
    }
    remainder[c].x += pushed;
}
