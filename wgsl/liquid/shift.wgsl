// Velocity at the faces that makes up for what liquid/excess found within a step, at most ½Δx/Δt; 0 at closed ones
// (Kugelstadt et al. 2021).
//!include common/control
//!include common/rise
//!include common/busy

//!write shift

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let most = 0.5 * params.grid.cell / max(control.dt, 1e-30);
    var u = vec4<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        let below = wrap_next(cell - along(axis));
        if (coefficient[c].w == 0.0 && coefficient[cell_number(below)].w == 0.0) { continue; }
        if (is_open(c, axis)) { u[axis] = clamp(-rise(cell, below, 0.0) / params.grid.cell, -most, most); }
        u.w += f32(1u << axis);
    }
    shift[c] = u;
}
