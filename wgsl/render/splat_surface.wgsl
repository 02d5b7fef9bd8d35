// Shading of the surface from summed discs (render/splats).
//!include render/splat_light

@group(1) @binding(0) var normals: texture_2d<f32>;
@group(1) @binding(1) var rest: texture_2d<f32>;
@group(1) @binding(2) var colors: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

struct Out {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> Out {
    let pixel = vec2<i32>(at.xy);
    let sum = textureLoad(normals, pixel, 0);
    // Discs of a surface overlap several times; where only one or two cover a pixel,
    // render/droplets draws them instead.
    let covered = smoothstep(0.25, 0.55, sum.w);
    if (covered <= 0.0) {
        discard;
    }
    let more = textureLoad(rest, pixel, 0).rg / sum.w;
    let w = max(more.x + frame.middle, frame.near);
    let p = frame.eye + ray_through(at.xy) * w;
    let towards_eye = normalize(frame.eye - p);
    var n = normalize(sum.xyz + 1e-6 * towards_eye);
    let cosine = dot(n, towards_eye);
    if (cosine < 0.05) {
        n = normalize(n + (0.05 - cosine) * towards_eye);
    }
    let still = textureLoad(colors, pixel, 0).rgb / sum.w;
    let color = splat_light(p, n, more.y, still);
    return Out(vec4<f32>(color * covered, covered), clamp(frame.near / w, 0.0, 1.0));
}
