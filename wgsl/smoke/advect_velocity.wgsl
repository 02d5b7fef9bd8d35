// A velocity of each face where the flow has carried it from (Stam 1999): linear or cubic interpolation, the cubic one
// limited to the 2ᵈ values around. Beyond an open side it is that of the last faces.
//!include common/trace

//!gather face_kept
//!write face_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var u = vec4<f32>(0.0);
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        let corners = corners_around(traced(face_center(cell, axis)), face_shift(axis));
        var low = 1e30;
        var high = -1e30;
        var linear = 0.0;
        for (var k = 0u; k < corner_count(); k++) {
            let w = corner_weights(corners, k);
            let value = face_kept_at(corner_cell(corners, k))[axis];
            low = min(low, value);
            high = max(high, value);
            linear += w.x * w.y * w.z * value;
        }
        u[axis] = linear;
        if (params.methods.stable_fluids.linear == 0u) {
            let wx = cubic_weights(corners.part.x);
            let wy = cubic_weights(corners.part.y);
            let wz = select(vec4<f32>(0.0, 1.0, 0.0, 0.0), cubic_weights(corners.part.z), params.world.dimensions == 3u);
            let z_reach = params.torus.z_reach;
            var sum = 0.0;
            for (var z = -z_reach; z <= 2 * z_reach; z++) {
                for (var y = -1; y <= 2; y++) {
                    for (var x = -1; x <= 2; x++) {
                        let w = wx[x + 1] * wy[y + 1] * wz[z + 1];
                        sum += w * face_kept_at(value_cell(corners.base, vec3<i32>(x, y, z)))[axis];
                    }
                }
            }
            u[axis] = clamp(sum, low, high);
        }
    }
    face_other[c] = u;
}
