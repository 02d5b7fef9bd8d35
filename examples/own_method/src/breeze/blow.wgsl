// The way along the wind grows by Δt v_x.
//!include common/control

//!read kept velocity
//!write blown

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (has_particle(s)) { blown[s] = kept[s] + control.dt * velocity[s].x; }
}
