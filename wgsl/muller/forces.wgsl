// a_i = (f_pressure + f_viscosity + f_surface) / ρ_i (M 8), the last two as in common/forces, and
//   f_pressure = −Σ_j V_j (p_i + p_j) ∇W / G                   (M 10: V_j = m_j/ρ_j, not ρ_i)
// M's (10) has the mean (p_i + p_j)/2, which passes on half of the gradient: Σ_j V_j ∇W is 0 inside
// the fluid, so only p_j counts. With the sum, a column at rest has p = ρ g d and sound travels at
// √k.
//!include common/forces

fn pressure_term(volume: f32, pressure: f32, wall: bool) -> f32 {
    return volume * (velocity_i.w + pressure);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    evaluate_forces(element(global_id));
}
