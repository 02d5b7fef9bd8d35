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

// Light of flames on the picture's scale, at their own temperature.
const FIRE = 14.0;
// Of the surroundings, in K.
const AMBIENT = 293.0;
// c₂ = h c/k in µm K over the wavelengths of the screen's red, green and blue.
const WIEN = vec3<f32>(14388.0) / vec3<f32>(0.61, 0.55, 0.465);

// A black body of this temperature in K is white in pictures: an incandescent lamp.
const WHITE = 2700.0;

// Light of a black body by Wien's law, relative to that of the hottest flames in red.
fn glow(temperature: f32) -> vec3<f32> {
    let kelvin = max(temperature, 0.0) + AMBIENT;
    let hottest = params.methods.stable_fluids.flame + AMBIENT;
    return exp(-WIEN * (1.0 / kelvin - 1.0 / WHITE) + WIEN.x * (1.0 / hottest - 1.0 / WHITE));
}

@fragment
fn fragment(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    let ray = ray_through(pixel.xy);
    let depth = textureLoad(scene_depth, vec2<i32>(pixel.xy), 0);
    var span = max(box_span(frame.eye, ray), vec2<f32>(0.0));
    if (depth > 0.0) { span.y = min(span.y, frame.near / depth); }
    if (span.y <= span.x) { discard; }
    let l = length(ray);
    let burns = params.methods.stable_fluids.burning > 0.0;
    // Light of flames is steep.
    let step = select(0.5, 0.1, burns) * params.grid.cell / l;
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
            // Soot absorbs as it glows (Kirchhoff).
            if (burns) { light += left * (1.0 - passed) * FIRE * glow(here.y); }
            left *= passed;
        }
        at += step;
    }
    return vec4<f32>(light, 1.0 - left);
}
