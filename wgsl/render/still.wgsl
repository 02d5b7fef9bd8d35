// Share of light of each channel that a liquid at rest scatters back from its surface, by the number of its material.
//!include render/frame

fn still_color(number: u32) -> vec3<f32> {
    let own = params.materials[number].color;
    return select(vec3<f32>(0.030, 0.200, 0.330), 0.8 * own.rgb, own.w > 0.0);
}
