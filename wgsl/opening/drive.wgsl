// Particles behind open boundaries get the acceleration with which they have the velocity of common/opening_buffer, gravity
// included.
//!include common/opening_buffer

//!read sorted_position sorted_velocity sorted_identity
//!write acceleration

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s) || control.dt <= 0.0) { return; }
    let x = sorted_position[s].xyz;
    let o = opening_of(sorted_identity[s], x);
    if (o == NO_OPENING) { return; }
    let own = sorted_velocity[s].xyz;
    let change = (velocity_behind(o, x, own) - own) / control.dt;
    acceleration[s] = vec4<f32>(change - params.world.gravity, 0.0);
}
