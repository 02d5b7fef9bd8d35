// Velocities after viscosity, with the gradient of the last step's pressure added back that grid/project subtracted before: viscosity
// acts on the field that this pressure would leave, since gravity alone would be slowed at walls, and water at rest would move.
//!include common/control
//!include common/rise
//!include common/busy

//!read face_other
//!write face

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var u = face[c];
    for (var axis = 0u; axis < axes(); axis++) {
        let below = wrap_next(cell - along(axis));
        let wet = coefficient[c].w > 0.0 || coefficient[cell_number(below)].w > 0.0;
        if (!wet || !is_open(c, axis)) { continue; }
        u[axis] = face_other[c][axis] + rise_of_stage(cell, below, axis) / params.grid.cell;
    }
    face[c] = u;
}
