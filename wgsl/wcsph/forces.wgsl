// a_i = (f_pressure + f_viscosity + f_surface) / ρ_i, the last two as in common/forces, and
//   f_pressure = −ρ_i Σ_j m_j (p_i/ρ_i² + p_j/ρ_j²) ∇W / G     (Becker, Teschner 2007; ST 3)
// with masses written as volumes, −Σ_j (V_i² p_i + V_j² p_j)/V_i ∇W, which is the same for one fluid
// and keeps the momentum of several.
//!include common/forces

fn pressure_term(volume: f32, pressure: f32, wall: bool) -> f32 {
    let fluid = (volume_i * volume_i * velocity_i.w + volume * volume * pressure) / volume_i;
    return select(fluid, volume * (velocity_i.w + pressure), wall);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    evaluate_forces(element(global_id));
}
