// Smoke, temperature, and the share of sunlight that arrives, of each cell, as a texture that pictures sample.
//!include render/frame
//!include common/hat

@group(1) @binding(0) var<storage, read> smoke: array<vec4<f32>>;
@group(1) @binding(1) var field: texture_storage_3d<rgba16float, write>;

// Smoke between the centres of cells; none beyond the box.
fn smoke_at(x: vec3<f32>) -> f32 {
    let corners = corners_around(x, vec3<f32>(0.5));
    var sum = 0.0;
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        sum += w.x * w.y * w.z * smoke[corner_cell(corners, k)].x;
    }
    return sum;
}

@compute @workgroup_size(4, 4, 4)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (any(global_id >= params.grid.size)) { return; }
    let cell = vec3<i32>(global_id);
    let own = smoke[cell_number(cell)];
    var depth = 0.0;
    var x = cell_center(cell);
    // Steps of a cell, to where the ray leaves the box: at most through its longest diagonal.
    let most = 2u * (params.grid.size.x + params.grid.size.y + params.grid.size.z);
    for (var k = 0u; k < most && depth < 8.0; k++) {
        x += params.grid.cell * frame.sun;
        let at = (x - params.grid.origin) * params.grid.inverse_cell;
        if (any(at < vec3<f32>(0.0)) || any(at > vec3<f32>(params.grid.size))) { break; }
        depth += frame.extinction * params.grid.cell * smoke_at(x);
    }
    textureStore(field, cell, vec4<f32>(own.xy, exp(-depth), 0.0));
}
