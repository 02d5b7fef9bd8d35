// a_i = (f_viscosity + f_surface) / ρ_i (common/forces), for solvers that find pressures apart.
//!include common/forces

fn pressure_term(volume: f32, pressure: f32, wall: bool) -> f32 {
    return 0.0;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    evaluate_forces(element(global_id));
}
