// Driven particles get the acceleration with which they have the velocity of their mouth, gravity included.
//!include common/control
//!include common/driven

//!read sorted_position sorted_velocity sorted_identity
//!write acceleration

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s) || control.dt <= 0.0) { return; }
    let mouth = driven(sorted_identity[s], sorted_position[s].xyz);
    if (mouth.w == 0.0) { return; }
    let change = (mouth.xyz - sorted_velocity[s].xyz) / control.dt;
    acceleration[s] = vec4<f32>(change - params.world.gravity, 0.0);
}
