// Tone mapping to the target's colours.
//!include render/tone_map

@group(1) @binding(0) var light: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

@fragment
fn fragment(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    let raw = textureLoad(light, vec2<i32>(pixel.xy), 0).rgb;
    return written(screen_color(raw, pixel.xy));
}
