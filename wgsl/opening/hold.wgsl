// Particles behind open boundaries have the velocity of common/opening_buffer, whatever pressure did to them.
//!include common/opening_buffer

//!read order velocity
//!publish sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    let o = opening_of(s);
    if (o == NO_OPENING) { return; }
    let v = velocity_behind(o, sorted_position[s].xyz, velocity[order[s]].xyz);
    publish_sorted_velocity(s, vec4<f32>(v, sorted_velocity[s].w));
}
