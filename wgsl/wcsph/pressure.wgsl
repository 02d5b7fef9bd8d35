// p = B ((ρ/ρ0)^γ − 1), B = ρ0 c²/γ (Tait; Becker, Teschner 2007, 7; ST 4), optionally clamped at
// 0, and V = m/ρ. They are stored in the w lanes of velocity and position, where the forces read
// them.
//!include common/control

//!read density sorted_identity
//!write sorted_position sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let who = sorted_identity[i];
    if (kind_of(who) != KIND_FLUID) { return; }
    let material = material_of(who);
    let ratio = density[i] / material.rest_density;
    let pressure = material.stiffness * (pow(ratio, params.methods.wcsph.gamma) - 1.0);
    sorted_velocity[i].w = select(pressure, max(pressure, 0.0), params.sph.clamp_pressure == 1u);
    sorted_position[i].w = material.mass / density[i];
}
