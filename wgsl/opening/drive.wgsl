// Particles behind open boundaries get the acceleration with which they have the velocity of common/opening_buffer, gravity
// included.
//!include common/opening_buffer

//!read sorted_velocity
//!write acceleration

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (control.dt <= 0.0) { return; }
    let o = opening_of(s);
    if (o == NO_OPENING) { return; }
    let own = sorted_velocity[s].xyz;
    let change = (velocity_behind(o, sorted_position[s].xyz, own) - own) / control.dt;
    acceleration[s] = vec4<f32>(change - params.world.gravity, 0.0);
}
