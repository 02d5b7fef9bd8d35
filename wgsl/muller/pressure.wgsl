// p = k (ρ − ρ0) (M 12).
//!include common/equation_of_state

fn state_pressure(material: MaterialParams, density: f32) -> f32 {
    return material.stiffness * (density - material.rest_density);
}
