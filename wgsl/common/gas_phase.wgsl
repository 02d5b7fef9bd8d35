// Phase of a face by its lightness: 1 in liquid, 8 in gas, 0 at the surface.
fn phase_of(lightness: f32) -> u32 {
    if (lightness == 1.0) { return 1u; }
    return select(0u, 8u, lightness == params.methods.gas.lightness);
}
