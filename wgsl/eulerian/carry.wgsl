// Semi-Lagrangian advection of the level set: φ where the field has carried it from, by the splines of Catmull, Rom 1974, limited
// to the 2ᵈ values around (Stam 1999). In solids it is that on their surface.
//!include common/control
//!include common/path
//!include common/nearest_wall
//!include common/cubic
//!include common/busy

//!read level_set
//!write level_set_other

// Place at the start of the step of what is at x at its end.
fn before(x: vec3<f32>) -> vec3<f32> {
    let start = moved(x, -control.dt);
    if (params.counts.colliders == 0u) { return start; }
    let wall = nearest_wall(start);
    return start - min(wall.distance, 0.0) * wall.normal;
}

fn level_at(x: vec3<f32>) -> f32 {
    let corners = corners_around(x, vec3<f32>(0.5));
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
    return clamp(sum, low, high);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    level_set_other[cell_number(cell)] = level_at(before(cell_center(cell)));
}
