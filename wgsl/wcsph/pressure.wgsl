// p = B ((ρ/ρ0)^γ − 1), B = ρ0 c²/γ (Tait; Becker, Teschner 2007, 7).
//!include common/equation_of_state

fn state_pressure(material: MaterialParams, density: f32) -> f32 {
    return material.stiffness * (pow(density / material.rest_density, params.methods.wcsph.gamma) - 1.0);
}
