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
    let wz = select(vec4<f32>(0.0, 1.0, 0.0, 0.0), cubic_weights(corners.part.z), params.world.dimensions == 3u);
    let z_reach = params.grid.z_reach;
    var sum = vec4<f32>(0.0);
    for (var z = -z_reach; z <= 2 * z_reach; z++) {
        for (var y = -1; y <= 2; y++) {
            for (var x = -1; x <= 2; x++) {
                let w = wx[x + 1] * wy[y + 1] * wz[z + 1];
                sum += w * value_of(value_cell(corners.base, vec3<i32>(x, y, z)));
            }
        }
    }
    return clamp(sum, low, high);
}
