// The particles that live on, in the order that they had.
//!include common/control
//!include common/foam

//!read foam_alive_start foam_state foam_moved_position foam_moved_velocity foam_moved_identity
//!write foam_position foam_velocity foam_identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= min(foam_state[FOAM_END], stage.element_count)) { return; }
    let slot = foam_alive_start[i];
    if (foam_alive_start[i + 1u] == slot) { return; }
    foam_position[slot] = foam_moved_position[i];
    foam_velocity[slot] = foam_moved_velocity[i];
    foam_identity[slot] = foam_moved_identity[i];
}
