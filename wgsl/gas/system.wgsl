// Matrix of the equation of pressure of both phases, Σ a_f (P_c − P_n) with a_f the open share of a face times its lightness.
//!include common/control
//!include common/open_faces
//!include common/busy

//!read gas_faces
//!write coefficient solution

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var a = vec4<f32>(0.0);
    if (is_inner(cell)) {
        for (var axis = 0u; axis < axes(); axis++) {
            let above = cell_number(wrap_next(cell + along(axis)));
            let lower = open_share(c, axis) * gas_faces[c][0][axis];
            a[axis] = select(0.0, lower, is_inner(wrap_next(cell - along(axis))));
            a.w += lower + open_share(above, axis) * gas_faces[above][0][axis];
        }
    }
    coefficient[c] = a;
    if (a.w == 0.0) { solution[c] = vec2<f32>(0.0); }
}
