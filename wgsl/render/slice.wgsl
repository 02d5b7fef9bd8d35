// A plane through the fields of a grid's cells, coloured by a quantity; in 2-D the plane of the scene.
//!include render/palette
//!include common/hat

// The array of the quantity, as 32-bit scalars.
@group(1) @binding(0) var<storage, read> quantity: array<u32>;
@group(1) @binding(1) var<storage, read> share: array<f32>;

struct Out {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

// The number at a scalar of the array, or the length of the lanes from there on.
fn number_at(at: u32) -> f32 {
    if (frame.lanes == 1u) { return bitcast<f32>(quantity[at]); }
    let third = select(0.0, bitcast<f32>(quantity[at + 2u]), frame.lanes == 3u);
    return length(vec3<f32>(bitcast<f32>(quantity[at]), bitcast<f32>(quantity[at + 1u]), third));
}

@fragment
fn fragment(@builtin(position) pixel: vec4<f32>) -> Out {
    let ray = ray_through(pixel.xy);
    let axis = frame.slice_axis;
    let along_ray = (frame.slice_at - frame.eye[axis]) / ray[axis];
    let x = frame.eye + along_ray * ray;
    let cell = (x - params.grid.origin) * params.grid.inverse_cell;
    let ring = select(vec3<f32>(1.0), vec3<f32>(0.0), params.grid.period > vec3<f32>(0.0));
    var inside = (cell >= ring) & (cell <= vec3<f32>(params.grid.size) - ring);
    inside.z = inside.z || params.world.dimensions == 2u;
    if (along_ray <= 0.0 || !all(inside)) { discard; }
    let corners = corners_around(x, vec3<f32>(0.5));
    var value = 0.0;
    var free = 0.0;
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        let c = corner_cell(corners, k);
        value += w.x * w.y * w.z * number_at(c * frame.stride + frame.lane);
        free += w.x * w.y * w.z * share[c];
    }
    // Solids are grey where the hat around a point is more than half in one.
    let color = select(palette_color(value), vec3<f32>(0.25), free < 0.5);
    return Out(vec4<f32>(color, 1.0), clamp(frame.near / along_ray, 0.0, 1.0));
}
