// Smooths the depth texture along one axis: a Gaussian filter over a narrow range of depths (N.
// Truong, C. Yuksel, “A narrow-range filter for screen-space fluid rendering”, 2018). Samples far
// behind are left out together with their counterparts across the centre; samples far in front are
// clamped to just in front.
//!include render/frame

@group(1) @binding(0) var depths: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

const MOST = 24;

fn filtered(pixel: vec2<i32>, axis: vec2<i32>) -> f32 {
    let center = textureLoad(depths, pixel, 0).r;
    if (center <= 0.0) {
        return 0.0;
    }
    let last = vec2<i32>(textureDimensions(depths)) - 1;
    let range = 2.5 * frame.spacing;
    let just = 0.25 * frame.spacing;
    // Pixels per metre at this depth.
    let scale = frame.height / (2.0 * length(frame.above) * center);
    let sigma = clamp(1.1 * frame.spacing * scale, 0.7, f32(MOST) / 2.2);
    let reach = min(i32(ceil(2.2 * sigma)), MOST);
    let low = center - range;
    let high = center + range;
    var sum = center;
    var weights = 1.0;
    for (var k = 1; k <= reach; k++) {
        let a = textureLoad(depths, clamp(pixel + k * axis, vec2<i32>(0), last), 0).r;
        let b = textureLoad(depths, clamp(pixel - k * axis, vec2<i32>(0), last), 0).r;
        if (a > 0.0 && b > 0.0 && a < high && b < high) {
            let weight = exp(-0.5 * f32(k * k) / (sigma * sigma));
            sum += weight * (select(center - just, a, a > low) + select(center - just, b, b > low));
            weights += 2.0 * weight;
        }
    }
    return sum / weights;
}

@fragment
fn across(@builtin(position) pixel: vec4<f32>) -> @location(0) f32 {
    return filtered(vec2<i32>(pixel.xy), vec2<i32>(1, 0));
}

@fragment
fn along(@builtin(position) pixel: vec4<f32>) -> @location(0) f32 {
    return filtered(vec2<i32>(pixel.xy), vec2<i32>(0, 1));
}
