// A small picture, already in the screen's colours, laid over a corner of the target.
//!include render/frame

struct Place {
    // Upper left corner and size, in pixels.
    corner: vec2<f32>,
    size: vec2<f32>,
}

@group(1) @binding(0) var<uniform> place: Place;
@group(1) @binding(1) var picture: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(vec2<u32>(k & 1u, k >> 1u));
    let pixel = place.corner + corner * place.size;
    return vec4<f32>(2.0 * pixel.x / frame.width - 1.0, 1.0 - 2.0 * pixel.y / frame.height, 0.0, 1.0);
}

fn decoded(srgb: vec3<f32>) -> vec3<f32> {
    let low = srgb / 12.92;
    let high = pow((srgb + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, low, srgb <= vec3<f32>(0.04045));
}

@fragment
fn fragment(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = textureLoad(picture, vec2<i32>(pixel.xy - place.corner), 0);
    let color = select(decoded(texel.rgb), texel.rgb, frame.encode == 1u);
    return vec4<f32>(color * texel.a, texel.a);
}
