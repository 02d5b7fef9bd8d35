// Colours of a quantity.
//!include render/frame

fn palette_color(value: f32) -> vec3<f32> {
    let span = frame.range.y - frame.range.x;
    let x = clamp((value - frame.range.x) / select(span, 1.0, span == 0.0), 0.0, 1.0);
    let at = x * 32.0;
    let k = min(u32(at), 31u);
    return mix(frame.palette[k].rgb, frame.palette[k + 1u].rgb, at - f32(k));
}
