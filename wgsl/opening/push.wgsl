// What the pressure behind open boundaries adds to the right-hand side of the equation of pressure, a_f P/θ: other cells without
// an equation have P = 0.
//!include common/control
//!include common/poisson
//!include common/busy

//!read coefficient solution
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
        let axis = way / 2u;
        let next = next_cell(cell, way);
        let n = cell_number(next);
        if (coefficient[n].w > 0.0 || solution[n].x == 0.0) { continue; }
        let open = open_share(select(c, n, (way & 1u) == 1u), axis);
        pushed += open * solution[n].x / surface_part(c, next);
    }
    remainder[c].x += pushed;
}
