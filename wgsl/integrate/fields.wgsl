// Adds the scene's force fields to the accelerations. Recorded only while there are any.
//!include common/control
//!include common/force_fields

//!read sorted_position sorted_velocity
//!write acceleration

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let a = field_acceleration(sorted_position[s].xyz, sorted_velocity[s].xyz);
    acceleration[s] += vec4<f32>(a, 0.0);
}
