// Tone mapping: Khronos' PBR neutral tone mapping (2024), which leaves colours below 0.8 unchanged,
// so that colour maps stay correct; then sRGB encoding if the target does not do it, and dithering
// by half a quantisation step against banding.
//!include render/frame

fn neutral(input: vec3<f32>) -> vec3<f32> {
    let start = 0.8 - 0.04;
    let desaturation = 0.15;
    let x = min(input.r, min(input.g, input.b));
    let offset = select(0.04, x - 6.25 * x * x, x < 0.08);
    let color = input - offset;
    let peak = max(color.r, max(color.g, color.b));
    if (peak < start) {
        return color;
    }
    let d = 1.0 - start;
    let new_peak = 1.0 - d * d / (peak + d - start);
    let g = 1.0 - 1.0 / (desaturation * (peak - new_peak) + 1.0);
    return mix(color * new_peak / peak, vec3<f32>(new_peak), g);
}

// The light of which `neutral` makes a colour, which is less than 1.
fn unmapped(mapped: vec3<f32>) -> vec3<f32> {
    let start = 0.8 - 0.04;
    let desaturation = 0.15;
    var color = min(mapped, vec3<f32>(0.97));
    let top = max(color.r, max(color.g, color.b));
    if (top >= start) {
        let d = 1.0 - start;
        let peak = d * d / (1.0 - top) - d + start;
        let share = 1.0 - 1.0 / (desaturation * (peak - top) + 1.0);
        color = (color - share * top) / (1.0 - share) * (peak / top);
    }
    let low = max(min(color.r, min(color.g, color.b)), 0.0);
    return color + select(0.04, 0.4 * sqrt(low) - low, low < 0.04);
}

fn encoded(linear: vec3<f32>) -> vec3<f32> {
    let low = 12.92 * linear;
    let high = 1.055 * pow(max(linear, vec3<f32>(0.0)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, low, linear <= vec3<f32>(0.0031308));
}

fn decoded(srgb: vec3<f32>) -> vec3<f32> {
    let low = srgb / 12.92;
    let high = pow((max(srgb, vec3<f32>(0.0)) + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, low, srgb <= vec3<f32>(0.04045));
}

// Colour of a pixel in sRGB, 0 to 1.
fn screen_color(raw: vec3<f32>, pixel: vec2<f32>) -> vec3<f32> {
    // Interleaved gradient noise (J. Jimenez, 2014).
    let grain = fract(52.9829189 * fract(dot(pixel, vec2<f32>(0.06711056, 0.00583715)))) - 0.5;
    let mapped = neutral(max(raw * frame.exposure, vec3<f32>(0.0)));
    return encoded(clamp(mapped, vec3<f32>(0.0), vec3<f32>(1.0))) + grain / 255.0;
}

// Value to write for an sRGB colour.
fn written(color: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(select(decoded(color), color, frame.encode == 1u), 1.0);
}
