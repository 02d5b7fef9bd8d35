// What the jump of the pressure at the surface adds to the projected field, P/(θΔx) at open faces between liquid and air, from
// where it is towards the liquid (grid/project has the rest).
//!include common/surface_jump
//!include common/busy

//!read coefficient
//!write face_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let wet = coefficient[c].w > 0.0;
    for (var axis = 0u; axis < axes(); axis++) {
        let below = wrap_next(cell - along(axis));
        let b = cell_number(below);
        if (wet == (coefficient[b].w > 0.0) || !is_open(c, axis)) { continue; }
        if (wet) {
            face_other[c][axis] += surface_jump(c, below) / params.grid.cell;
        } else {
            face_other[c][axis] -= surface_jump(b, cell) / params.grid.cell;
        }
    }
}
