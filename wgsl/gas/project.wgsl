// Pressure projection of both phases: subtracts the gradient of pressure, less its jump, times the lightness of each face; closed faces
// have the solid's velocity. The field is then that of the liquid in `face_other`, known at faces in liquid, the w lane, and that of the
// gas in `gas_other`, known at the others. Keeps the acceleration in m/s² by pressure, with the phases of faces (common/gas_push).
//!include common/control
//!include common/open_faces
//!include common/gas_phase

//!read face coefficient solution gas_faces
//!write face_other gas_other gas_push

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var u = face[c].xyz;
    var known = 0u;
    var push = vec4<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        let b = cell_number(wrap_next(cell - along(axis)));
        if (coefficient[c].w == 0.0 && coefficient[b].w == 0.0) { continue; }
        if (is_open(c, axis)) {
            let rise = solution[c].x - solution[b].x - gas_faces[c][1][axis];
            let change = -gas_faces[c][0][axis] * rise / params.grid.cell;
            u[axis] += change;
            push[axis] = change / max(control.dt, 1e-30);
            push.w += f32(phase_of(gas_faces[c][0][axis]) << axis);
        } else {
            u[axis] = solid_velocity(c, axis);
        }
        known += 1u << axis;
    }
    let liquid = known & u32(gas_faces[c][0].w);
    face_other[c] = vec4<f32>(u, f32(liquid));
    gas_other[c] = vec4<f32>(u, f32(known - liquid));
    if (control.dt > 0.0) { gas_push[c] = push; }
}
