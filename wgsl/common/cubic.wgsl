// Cells and weights of the splines of Catmull, Rom 1974 between the centres of cells.
//!include common/hat

// Cell of the value at `corner` of the 4ᵈ around a point, each from −1 to 2; beyond the box that of its last cells.
fn value_cell(base: vec3<i32>, corner: vec3<i32>) -> u32 {
    let cell = base + corner;
    let last = vec3<i32>(params.grid.size) - 1;
    if (!IS_PERIODIC) { return cell_number(clamp(cell, vec3<i32>(0), last)); }
    return cell_number(select(clamp(cell, vec3<i32>(0), last), wrap_cell(cell), params.grid.period > vec3<f32>(0.0)));
}

// Coordinates along an axis of the cells of the four values around a point between cell b and the next.
fn four_cells(b: i32, axis: u32) -> vec4<i32> {
    let cells = b + vec4<i32>(-1, 0, 1, 2);
    let n = vec4<i32>(i32(params.grid.size[axis]));
    let ended = clamp(cells, vec4<i32>(0), n - 1);
    if (!IS_PERIODIC || params.grid.period[axis] == 0.0) { return ended; }
    return (cells % n + n) % n;
}

// Weights of the values at −1, 0, 1, 2 at a place t between 0 and 1 (Catmull, Rom 1974).
fn cubic_weights(t: f32) -> vec4<f32> {
    let u = t * t;
    let v = u * t;
    return 0.5 * vec4<f32>(-t + 2.0 * u - v, 2.0 - 5.0 * u + 3.0 * v, t + 4.0 * u - 3.0 * v, v - u);
}
