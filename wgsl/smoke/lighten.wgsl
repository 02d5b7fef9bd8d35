// Velocities after a projection as if all air had one density: the gradient of pressure accelerates light air more, and dense air less.
//!include common/control
//!include common/rise
//!include common/lightness

//!write face

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var u = face[c];
    for (var axis = 0u; axis < axes(); axis++) {
        let below = wrap_next(cell - along(axis));
        let b = cell_number(below);
        let in_air = coefficient[c].w > 0.0 || coefficient[b].w > 0.0;
        if (in_air && is_open(c, axis)) { u[axis] -= (lightness(c, b) - 1.0) * rise(cell, below, 1.0) / params.grid.cell; }
    }
    face[c] = u;
}
