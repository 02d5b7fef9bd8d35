// Pressure projection: subtracts the gradient of pressure at open faces of liquid, (P_above − P_below)/Δx, to P = 0 in air at
// θΔx, the free surface (ghost fluid); closed ones have the solid's velocity. Both are then
// known, the w lane (Gibou et al. 2002; Batty, Bertails, Bridson 2007). At level 1 the pressure is that of the last step (stress/restore).
//!include common/control
//!include common/rise
//!include common/busy

//!read face
//!write face_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var u = vec4<f32>(face[c].xyz, 0.0);
    let wet = coefficient[c].w > 0.0;
    for (var axis = 0u; axis < axes(); axis++) {
        let below = wrap_next(cell - along(axis));
        let b = cell_number(below);
        let wet_below = coefficient[b].w > 0.0;
        if (!wet && !wet_below) { continue; }
        if (is_given(c, axis)) {
            if (!is_given_wet(c, axis)) { continue; }
            u[axis] = given_velocity(c);
        } else if (!is_open(c, axis)) {
            u[axis] = solid_velocity(c, axis);
        } else {
            u[axis] -= rise_of_stage(cell, below, axis) / params.grid.cell;
        }
        u.w += f32(1u << axis);
    }
    face_other[c] = u;
}
