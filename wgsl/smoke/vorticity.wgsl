// Vorticity ω = ∇ × u at the centres of cells, by central differences of the mean velocities of cells, which is the mean
// over the edges around; its length in w.
//!include common/control
//!include common/hat

//!read face
//!write vorticity

// Mean of a velocity over a cell.
fn mean(cell: vec3<i32>, axis: u32) -> f32 {
    let above = cell_number(wrap_next(cell + along(axis)));
    return 0.5 * (face[cell_number(wrap_next(cell))][axis] + face[above][axis]);
}

// ∂ of a velocity along an axis.
fn slope(cell: vec3<i32>, component: u32, axis: u32) -> f32 {
    return 0.5 * (mean(cell + along(axis), component) - mean(cell - along(axis), component)) / params.grid.cell;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var curl = vec3<f32>(0.0);
    if (is_inner(cell)) {
        curl.z = slope(cell, 1u, 0u) - slope(cell, 0u, 1u);
        if (params.world.dimensions == 3u) {
            curl.x = slope(cell, 2u, 1u) - slope(cell, 1u, 2u);
            curl.y = slope(cell, 0u, 2u) - slope(cell, 2u, 0u);
        }
    }
    vorticity[c] = vec4<f32>(curl, length(curl));
}
