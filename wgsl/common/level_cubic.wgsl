// Level set at a place, by the splines of Catmull, Rom 1974, perhaps limited to the 2ᵈ values around.
//!include common/cubic

//!read level_set

fn level_at(x: vec3<f32>, is_limited: bool) -> f32 {
    return level_between(corners_around(x, vec3<f32>(0.5)), is_limited);
}

fn level_between(corners: Corners, is_limited: bool) -> f32 {
    var low = 1e30;
    var high = -1e30;
    for (var k = 0u; k < corner_count(); k++) {
        let value = level_set[corner_cell(corners, k)];
        low = min(low, value);
        high = max(high, value);
    }
    let wx = cubic_weights(corners.part.x);
    let wy = cubic_weights(corners.part.y);
    let wz = select(vec4<f32>(0.0, 1.0, 0.0, 0.0), cubic_weights(corners.part.z), axes() == 3u);
    let z_reach = params.grid.z_reach;
    var sum = 0.0;
    for (var z = -z_reach; z <= 2 * z_reach; z++) {
        for (var y = -1; y <= 2; y++) {
            for (var x = -1; x <= 2; x++) {
                let w = wx[x + 1] * wy[y + 1] * wz[z + 1];
                sum += w * level_set[value_cell(corners.base, vec3<i32>(x, y, z))];
            }
        }
    }
    return select(sum, clamp(sum, low, high), is_limited);
}
