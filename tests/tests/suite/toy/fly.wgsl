// Flight of dust: v' = v + Δt g, x ← x + Δt v'.
//!include common/control

//!read sorted_position sorted_velocity sorted_identity
//!write position velocity identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let v = sorted_velocity[s].xyz + control.dt * params.world.gravity;
    velocity[s] = vec4<f32>(v, 0.0);
    position[s] = vec4<f32>(sorted_position[s].xyz + control.dt * v, sorted_position[s].w);
    identity[s] = sorted_identity[s];
}
