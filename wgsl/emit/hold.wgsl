// Driven particles have the velocity of their mouth, whatever pressure did to them.
//!include common/control
//!include common/driven

//!read sorted_position sorted_identity
//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let mouth = driven(sorted_identity[s], sorted_position[s].xyz);
    if (mouth.w == 0.0) { return; }
    sorted_velocity[s] = vec4<f32>(mouth.xyz, sorted_velocity[s].w);
}
