// Semi-Lagrangian advection of the level set: φ where the field has carried it from, by the splines of Catmull, Rom 1974, limited
// to the 2ᵈ values around (Stam 1999). In solids it is that half a cell outside:
// on their surface it would follow the liquid late, and films would stay behind.
//!include common/control
//!include common/path
//!include common/nearest_wall
//!include common/level_cubic
//!include common/busy

//!write level_set_other

// Way in cells from x, at the end of the step, to where it was at its start. (Of a place in m little of a short way is left.)
fn back_from(x: vec3<f32>) -> vec3<f32> {
    let way = way_from(x, -control.dt);
    if (params.counts.colliders == 0u) { return way * params.grid.inverse_cell; }
    let wall = nearest_wall(x + way);
    let out = select(0.0, 0.5 * params.grid.cell - wall.distance, wall.distance < 0.0);
    return (way + out * wall.normal) * params.grid.inverse_cell;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let way = back_from(cell_center(cell));
    let base = floor(way);
    level_set_other[cell_number(cell)] = level_between(Corners(cell + vec3<i32>(base), way - base), true);
}
