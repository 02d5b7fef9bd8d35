// sin x / x and cos x for |x| ≤ π/2, by their series, within 1e-8: a driver's sin and cos need only
// be accurate to 2⁻¹¹ (Vulkan 1.3, "Precision of Operation of SPIR-V Instructions"), which would be
// visible in a body's spin.
fn sinc_and_cos(x: f32) -> vec2<f32> {
    let y = x * x;
    let sinc = 1.0 - y / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0 * (1.0 - y / 110.0 * (1.0 - y / 156.0)))));
    let cosine = 1.0 - y / 2.0 * (1.0 - y / 12.0 * (1.0 - y / 30.0 * (1.0 - y / 56.0 * (1.0 - y / 90.0 * (1.0 - y / 132.0)))));
    return vec2<f32>(sinc, cosine);
}
