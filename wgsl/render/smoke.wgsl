// Smoke by marching along rays to the solids behind it, with sunlight scattered once (Henyey, Greenstein 1941) and light
// of the sky. Steps begin at a place within the first that differs from pixel to pixel but not from frame to frame, so
// that they do not show.
//!include render/smoke_box
//!include render/environment

@group(2) @binding(3) var scene_depth: texture_depth_2d;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

const FORWARD = 0.3;
const FOUR_PI = 12.566371;

// Share of light that is scattered by an angle, times 4π.
fn phase(cosine: f32) -> f32 {
    let square = FORWARD * FORWARD;
    return (1.0 - square) / pow(1.0 + square - 2.0 * FORWARD * cosine, 1.5);
}

@fragment
fn fragment(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    let ray = ray_through(pixel.xy);
    let depth = textureLoad(scene_depth, vec2<i32>(pixel.xy), 0);
    var span = max(box_span(frame.eye, ray), vec2<f32>(0.0));
    if (depth > 0.0) { span.y = min(span.y, frame.near / depth); }
    if (span.y <= span.x) { discard; }
    let l = length(ray);
    let step = 0.5 * params.grid.cell / l;
    // Interleaved gradient noise (J. Jimenez, 2014).
    let grain = fract(52.9829189 * fract(dot(pixel.xy, vec2<f32>(0.06711056, 0.00583715))));
    let sun = 0.30 * frame.sun_light * phase(dot(ray / l, frame.sun));
    var at = span.x + grain * step;
    var left = 1.0;
    var light = vec3<f32>(0.0);
    // At most a few thousand steps through the largest box.
    for (var k = 0u; k < 4096u && at < span.y && left > 0.01; k++) {
        let here = field_at(frame.eye + at * ray);
        if (here.x > 1e-3) {
            let passed = exp(-frame.extinction * here.x * step * l);
            // Half of the sky's light comes through smoke that the sun's does not.
            let ambient = 0.42 * frame.sky_light * (0.45 + 0.55 * sqrt(here.z));
            light += left * (1.0 - passed) * frame.smoke_color * (sun * here.z + ambient);
            left *= passed;
        }
        at += step;
    }
    return vec4<f32>(light, 1.0 - left);
}
