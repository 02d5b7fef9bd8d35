// Edges of containers, as ribbons of a constant width in pixels.
//!include render/frame

struct Segment {
    @location(0) a: vec4<f32>,
    @location(1) b: vec4<f32>,
}

@vertex
fn vertex(in: Segment, @builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    // Clip at the near plane.
    var a = in.a.xyz;
    var b = in.b.xyz;
    let near = 2.0 * frame.near;
    let da = depth_along(a) - near;
    let db = depth_along(b) - near;
    if (da < 0.0 && db < 0.0) {
        return NOWHERE;
    }
    if (da < 0.0) { a = mix(a, b, da / (da - db)); }
    if (db < 0.0) { b = mix(b, a, db / (db - da)); }
    let size = vec2<f32>(frame.width, frame.height);
    let clip_a = frame.clip * vec4<f32>(a, 1.0);
    let clip_b = frame.clip * vec4<f32>(b, 1.0);
    let along = (clip_b.xy / clip_b.w - clip_a.xy / clip_a.w) * size;
    let l = length(along);
    let across = select(vec2<f32>(-along.y, along.x) / l, vec2<f32>(0.0), l == 0.0);
    let side = select(-1.0, 1.0, (k & 1u) == 1u);
    let end = select(clip_a, clip_b, k == 2u || k == 3u || k == 4u);
    let half_width = max(0.6, frame.height / 900.0);
    return vec4<f32>(end.xy + side * half_width * 2.0 * across / size * end.w, end.zw);
}

@fragment
fn fragment() -> @location(0) vec4<f32> {
    let alpha = 0.62;
    return vec4<f32>(vec3<f32>(0.20, 0.25, 0.30) * alpha, alpha);
}
