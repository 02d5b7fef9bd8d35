// Shared by passes that compute pressures by an equation of state, optionally clamped at 0, and volumes V = m/ρ. They are
// stored in the w lanes of velocity and position, where the forces read them. A pass that includes this file defines
//   fn state_pressure(material: MaterialParams, density: f32) -> f32
// the pressure in Pa at a density in kg/m³.
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
    let pressure = state_pressure(material, density[i]);
    sorted_velocity[i].w = select(pressure, max(pressure, 0.0), params.sph.clamp_pressure == 1u);
    // Less than 1 while it grows in a mouth (emit/grow).
    let share = min(sorted_position[i].w / material.rest_volume, 1.0);
    sorted_position[i].w = share * material.mass / density[i];
}
