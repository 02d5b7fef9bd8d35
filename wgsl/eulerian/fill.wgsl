// What liquid expands, Δx² times the rate, in the equation of pressure.
//!include common/control
//!include common/box
//!include common/busy

//!read coefficient level_rate
//!write remainder

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    if (coefficient[c].w > 0.0) { remainder[c].x += params.grid.cell * params.grid.cell * level_rate[0]; }
}
