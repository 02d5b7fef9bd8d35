// A picture of a fluid in a program's pass: colours with premultiplied opacity, and depths as those of the pass.
//!include render/tone_map

@group(1) @binding(0) var light: texture_2d<f32>;
@group(1) @binding(1) var depths: texture_depth_2d;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

fn color_at(at: vec4<f32>) -> vec4<f32> {
    let sum = textureLoad(light, vec2<i32>(at.xy), 0);
    if (sum.a <= 0.0) { discard; }
    var color = sum.rgb / sum.a;
    if (frame.is_hdr == 1u) {
        color *= frame.exposure;
    } else {
        color = written(screen_color(color, at.xy)).rgb;
    }
    return sum.a * vec4<f32>(color, 1.0);
}

fn depth_at(at: vec4<f32>) -> f32 {
    let depth = textureLoad(depths, vec2<i32>(at.xy), 0);
    return clamp(frame.depth_ends.x + frame.depth_ends.y * depth / frame.near, 0.0, 1.0);
}

struct Out {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn color(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    return color_at(at);
}

@fragment
fn depth(@builtin(position) at: vec4<f32>) -> @builtin(frag_depth) f32 {
    if (textureLoad(light, vec2<i32>(at.xy), 0).a <= 0.0) { discard; }
    return depth_at(at);
}

@fragment
fn both(@builtin(position) at: vec4<f32>) -> Out {
    return Out(color_at(at), depth_at(at));
}
