// Slopes of a level set that stay; closer ones with gas (gas/near).
fn flat() -> f32 {
    return select(0.8, 0.95, params.methods.gas.lightness > 0.0);
}

fn steep() -> f32 {
    return select(1.25, 1.05, params.methods.gas.lightness > 0.0);
}
