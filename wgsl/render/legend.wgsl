// A small image in the target's colours, composited over a corner of the target. This shader does
// it because fixed-function blending would be linear on some targets and not on others.
//!include render/tone_map

struct Place {
    // Upper left corner and size in pixels.
    corner: vec2<f32>,
    size: vec2<f32>,
}

@group(1) @binding(0) var<uniform> place: Place;
@group(1) @binding(1) var picture: texture_2d<f32>;
@group(1) @binding(2) var light: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(vec2<u32>(k & 1u, k >> 1u));
    let pixel = place.corner + corner * place.size;
    return vec4<f32>(2.0 * pixel.x / frame.width - 1.0, 1.0 - 2.0 * pixel.y / frame.height, 0.0, 1.0);
}

@fragment
fn fragment(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = textureLoad(picture, vec2<i32>(pixel.xy - place.corner), 0);
    let under = screen_color(textureLoad(light, vec2<i32>(pixel.xy), 0).rgb, pixel.xy);
    return written(mix(under, texel.rgb, texel.a));
}
