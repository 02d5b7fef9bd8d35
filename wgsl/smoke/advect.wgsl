// Smoke and temperature where the flow has carried them from (Stam 1999): linear or cubic interpolation, the cubic one
// limited to the 2ᵈ values around. None come from beyond the domain.
//!include common/trace

//!gather smoke_other
//!write smoke

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    if (!is_inner(cell)) {
        smoke[c] = vec4<f32>(0.0);
        return;
    }
    let corners = corners_around(traced(cell_center(cell)), vec3<f32>(0.5));
    var low = vec4<f32>(1e30);
    var high = vec4<f32>(-1e30);
    var linear = vec4<f32>(0.0);
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        let value = smoke_other_at(corner_cell(corners, k));
        low = min(low, value);
        high = max(high, value);
        linear += w.x * w.y * w.z * value;
    }
    if (params.methods.stable_fluids.linear == 1u) {
        smoke[c] = linear;
        return;
    }
    let wx = cubic_weights(corners.part.x);
    let wy = cubic_weights(corners.part.y);
    let wz = select(vec4<f32>(0.0, 1.0, 0.0, 0.0), cubic_weights(corners.part.z), params.world.dimensions == 3u);
    let z_reach = params.torus.z_reach;
    var sum = vec4<f32>(0.0);
    for (var z = -z_reach; z <= 2 * z_reach; z++) {
        for (var y = -1; y <= 2; y++) {
            for (var x = -1; x <= 2; x++) {
                let w = wx[x + 1] * wy[y + 1] * wz[z + 1];
                sum += w * smoke_other_at(value_cell(corners.base, vec3<i32>(x, y, z)));
            }
        }
    }
    smoke[c] = clamp(sum, low, high);
}
