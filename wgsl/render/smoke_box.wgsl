// The box of cells with smoke, as a texture.
//!include render/frame

@group(1) @binding(0) var field: texture_3d<f32>;
@group(1) @binding(1) var field_sampler: sampler;

// Distances along a ray at which it enters and leaves the inner cells.
fn box_span(eye: vec3<f32>, ray: vec3<f32>) -> vec2<f32> {
    let ring = select(vec3<f32>(1.0), vec3<f32>(0.0), params.grid.period > vec3<f32>(0.0));
    let edge = params.grid.cell;
    let low = params.grid.origin + edge * ring;
    let high = params.grid.origin + edge * (vec3<f32>(params.grid.size) - ring);
    let safe = select(ray, vec3<f32>(1e-9), abs(ray) < vec3<f32>(1e-9));
    let a = (low - eye) / safe;
    let b = (high - eye) / safe;
    let near = min(a, b);
    let far = max(a, b);
    return vec2<f32>(max(max(near.x, near.y), near.z), min(min(far.x, far.y), far.z));
}

// Smoke, temperature, and the share of sunlight.
fn field_at(x: vec3<f32>) -> vec3<f32> {
    let at = (x - params.grid.origin) * params.grid.inverse_cell / vec3<f32>(params.grid.size);
    return textureSampleLevel(field, field_sampler, at, 0.0).xyz;
}
