// Slots of removed particles below the number of those that are left, which particles from above it fill: the k-th the k-th.
//!include common/control

//!read removed removed_start
//!write removed_slot

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let left = control.particle_count - removed_start[stage.element_count];
    if (i >= min(left, stage.element_count) || removed[i] == 0u) { return; }
    removed_slot[removed_start[i]] = i;
}
