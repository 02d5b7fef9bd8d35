// Shadow of smoke: its optical depth along the sunlight that arrives at points of the floor, as a thickness of fluid
// that would leave as much light.
//!include render/smoke_box

// Width and height of the shadow map in pixels.
const SHADOW_SIZE = 512.0;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

@fragment
fn fragment(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    let place = pixel.xy / vec2<f32>(SHADOW_SIZE) / frame.shadow_scale + frame.shadow_corner;
    let foot = frame.ground * frame.up + place.x * frame.tangent + place.y * frame.bitangent;
    let span = max(box_span(foot, frame.sun), vec2<f32>(0.0));
    if (span.y <= span.x) { discard; }
    let step = params.grid.cell;
    var sum = 0.0;
    var at = span.x + 0.5 * step;
    for (var k = 0u; k < 4096u && at < span.y; k++) {
        sum += step * field_at(foot + at * frame.sun).x;
        at += step;
    }
    // render/environment leaves exp(−14 thickness / size).
    return vec4<f32>(frame.extinction * sum * frame.size / 14.0, 0.0, 0.0, 0.0);
}
