// Places the particles that a program adds behind the live ones, in the order of their points.
//!include common/control

//!read spawn_position spawn_velocity spawn_state spawn_free spawn_start
//!write position velocity identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= min(spawn_state[0], stage.element_count) || spawn_free[k] == 0u) { return; }
    let slot = control.particle_count + spawn_start[k];
    if (slot >= params.counts.capacity) { return; }
    let who = vec2<u32>(control.next_id + spawn_start[k], spawn_state[1]);
    position[slot] = vec4<f32>(spawn_position[k].xyz, material_of(who).rest_density);
    velocity[slot] = vec4<f32>(spawn_velocity[k].xyz, 0.0);
    identity[slot] = who;
}
