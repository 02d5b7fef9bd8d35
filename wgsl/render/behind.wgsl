// A program's picture so far, in place of sky and floor.
//!include render/tone_map

@group(1) @binding(0) var colors: texture_2d<f32>;
@group(1) @binding(1) var depths: texture_depth_2d;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

fn depth_at(at: vec4<f32>) -> f32 {
    let depth = textureLoad(depths, vec2<i32>(at.xy), 0);
    return clamp(frame.near * (depth - frame.depth_ends.x) / frame.depth_ends.y, 0.0, 1.0);
}

struct Out {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> Out {
    var color = textureLoad(colors, vec2<i32>(at.xy), 0).rgb;
    if (frame.encode == 1u) { color = decoded(color); }
    if (frame.is_hdr == 0u) { color = unmapped(color); }
    return Out(vec4<f32>(color / frame.exposure, 1.0), depth_at(at));
}

@fragment
fn depth_only(@builtin(position) at: vec4<f32>) -> @builtin(frag_depth) f32 {
    return depth_at(at);
}
