// Sets 1 for each cell that gets a block: there is a particle in the cell or within three quarters
// of a cell (beyond that the field is too small to bend the surface), and the cell is not deep in
// the fluid. A cell is deep if its 27 neighbours all contain particles, none of them near the
// surface; there the field is taken as 1. (No deep cell is next to an untouched one.)
//!include common/control
//!include common/cells
//!include common/surface

//!gather surface_state
//!write surface_flag

// Octants of a neighbour that face this cell, per axis and step (−1, 0, 1).
const FACING_X = vec3<u32>(0xaau, 0xffu, 0x55u);
const FACING_Y = vec3<u32>(0xccu, 0xffu, 0x33u);
const FACING_Z = vec3<u32>(0xf0u, 0xffu, 0x0fu);

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let cell = cell_at(i);
    let size = vec3<i32>(params.grid.size);
    var touched = 0u;
    var deep = true;
    for (var k = 0; k < 27; k++) {
        let step = vec3<i32>(k % 3, k / 3 % 3, k / 9);
        let neighbour = cell + step - 1;
        // Across the ends of periodic axes there are particles within reach, but no blocks.
        let wrapped = select(neighbour, neighbour + size, neighbour < vec3<i32>(0));
        let image = select(neighbour, select(wrapped, neighbour - size, neighbour >= size), params.grid.period > vec3<f32>(0.0));
        let state = select(0u, surface_state_at(cell_number(clamp(image, vec3<i32>(0), size - 1))), in_box(image));
        touched |= state & FACING_X[step.x] & FACING_Y[step.y] & FACING_Z[step.z];
        deep = deep && state > 0u && state < SHALLOW && in_box(neighbour);
    }
    surface_flag[i] = select(0u, 1u, touched > 0u && !deep);
}
