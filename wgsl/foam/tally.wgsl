// Numbers of particles by kind, for the log. Sums of whole numbers do not depend on their order.
//!include common/control
//!include common/foam

//!read foam_state foam_identity
//!atomic foam_tally

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= min(foam_state[FOAM_COUNT], stage.element_count)) { return; }
    atomicAdd(&foam_tally[foam_identity[i].y], 1u);
}
