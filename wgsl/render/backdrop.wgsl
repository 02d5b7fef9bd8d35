// Sky and floor behind everything, in one triangle.
//!include render/environment

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

struct Out {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(@builtin(position) pixel: vec4<f32>) -> Out {
    if (frame.flat == 1u) {
        // 2-D scenes have a plain backdrop, slightly lighter at the top.
        if (frame.backdrop == BACKDROP_COLOR) { return Out(vec4<f32>(frame.background, 1.0), 0.0); }
        let y = pixel.y / frame.height;
        return Out(vec4<f32>(mix(vec3<f32>(0.90, 0.92, 0.94), vec3<f32>(0.78, 0.82, 0.86), y), 1.0), 0.0);
    }
    let ray = ray_through(pixel.xy);
    let seen = environment(frame.eye, normalize(ray));
    var depth = 0.0;
    if (seen.w > 0.0) {
        depth = frame.near * length(ray) / seen.w;
    }
    return Out(vec4<f32>(seen.rgb, 1.0), clamp(depth, 0.0, 1.0));
}
