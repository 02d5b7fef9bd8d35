// Content of each cell of the box for the surface's mesh (surface/mark), by the level set: all octants if there may be liquid in it, and
// SHALLOW near the surface or a wall.
//!include common/control
//!include common/box
//!include common/surface

//!read level_set solid_distance
//!write surface_state

// Distances in cells: half of a cell's diagonal, and that and a cell.
const HALF = 0.9;
const WHOLE = 1.9;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let d = level_set[i];
    let wall = solid_distance[i];
    let state = select(0xffu, 0xffu | SHALLOW, d > -WHOLE || wall < WHOLE);
    surface_state[i] = select(0u, state, d < HALF && wall > -WHOLE && is_inner(cell_at(i)));
}
