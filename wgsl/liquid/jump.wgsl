// What the jump of the pressure at the surface adds to the right-hand side of the equation of pressure, a_f P/θ.
//!include common/surface_jump
//!include common/busy

//!read coefficient
//!write remainder

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    if (coefficient[c].w <= 0.0) { return; }
    var pushed = 0.0;
    for (var way = 0u; way < 2u * axes(); way++) {
        let next = next_cell(cell, way);
        let n = cell_number(next);
        let open = open_share(select(c, n, (way & 1u) == 1u), way / 2u);
        if (coefficient[n].w > 0.0 || open == 0.0) { continue; }
        pushed += open * surface_jump(c, next);
    }
    remainder[c].x += pushed;
}
