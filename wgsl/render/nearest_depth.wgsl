// The nearest of a pixel's four depths.
//!include render/frame

@group(1) @binding(0) var depths: texture_depth_multisampled_2d;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> @builtin(frag_depth) f32 {
    let pixel = vec2<i32>(at.xy);
    let one = max(textureLoad(depths, pixel, 0), textureLoad(depths, pixel, 1));
    return max(one, max(textureLoad(depths, pixel, 2), textureLoad(depths, pixel, 3)));
}
