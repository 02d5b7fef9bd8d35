// Value at a point between cells: linear, or by the splines of Catmull, Rom 1974 along one axis after another, limited to the
// 2ᵈ values around (Fedkiw, Stam, Jensen 2001, limit slopes to the same end). The pass has the function value_of(c), the
// value of a cell.
//!include common/trace
//!include common/cubic

fn interpolated(x: vec3<f32>, shift: vec3<f32>) -> vec4<f32> {
    let corners = corners_around(x, shift);
    var low = vec4<f32>(1e30);
    var high = vec4<f32>(-1e30);
    var linear = vec4<f32>(0.0);
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        let value = value_of(corner_cell(corners, k));
        low = min(low, value);
        high = max(high, value);
        linear += w.x * w.y * w.z * value;
    }
    if (params.methods.stable_fluids.linear == 1u) { return linear; }
    let wx = cubic_weights(corners.part.x);
    let wy = cubic_weights(corners.part.y);
    let size = vec3<i32>(params.grid.size);
    let columns = four_cells(corners.base.x, 0u);
    let rows = size.x * four_cells(corners.base.y, 1u);
    if (axes() == 2u) { return clamp(along_plane(columns, rows, wx, wy), low, high); }
    let wz = cubic_weights(corners.part.z);
    let planes = size.x * size.y * four_cells(corners.base.z, 2u);
    var sum = wz.x * along_plane(columns, rows + planes.x, wx, wy);
    sum += wz.y * along_plane(columns, rows + planes.y, wx, wy);
    sum += wz.z * along_plane(columns, rows + planes.z, wx, wy);
    sum += wz.w * along_plane(columns, rows + planes.w, wx, wy);
    return clamp(sum, low, high);
}

// Sum over a plane, and over a row: without loops, which software devices do not unroll.
fn along_plane(columns: vec4<i32>, rows: vec4<i32>, wx: vec4<f32>, wy: vec4<f32>) -> vec4<f32> {
    let low = wy.x * along_row(columns + rows.x, wx) + wy.y * along_row(columns + rows.y, wx);
    return low + wy.z * along_row(columns + rows.z, wx) + wy.w * along_row(columns + rows.w, wx);
}

fn along_row(cells: vec4<i32>, w: vec4<f32>) -> vec4<f32> {
    let c = vec4<u32>(cells);
    return w.x * value_of(c.x) + w.y * value_of(c.y) + w.z * value_of(c.z) + w.w * value_of(c.w);
}
