fn viscosity_breeze_acceleration(i: u32) -> vec3<f32> {
    return params.methods.viscosity_breeze.rate * (vec3<f32>(2.0, 0.0, 0.0) - velocity_i.xyz);
}
