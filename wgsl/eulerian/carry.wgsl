// Semi-Lagrangian advection of the level set: φ where the field has carried it from, by the splines of Catmull, Rom 1974, limited
// to the 2ᵈ values around (Stam 1999). In solids it is that half a cell outside:
// on their surface it would follow the liquid late, and films would stay behind.
//!include common/control
//!include common/path
//!include common/nearest_wall
//!include common/level_cubic
//!include common/busy

//!write level_set_other

// Place at the start of the step of what is at x at its end.
fn before(x: vec3<f32>) -> vec3<f32> {
    let start = moved(x, -control.dt);
    if (params.counts.colliders == 0u) { return start; }
    let wall = nearest_wall(start);
    let out = select(0.0, 0.5 * params.grid.cell - wall.distance, wall.distance < 0.0);
    return start + out * wall.normal;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    level_set_other[cell_number(cell)] = level_at(before(cell_center(cell)), true);
}
