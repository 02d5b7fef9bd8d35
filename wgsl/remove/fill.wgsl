// Particles above the number of those that are left fill the slots of removed ones.
//!include common/control
//!include common/refill

//!write position velocity identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let slot = slot_to_fill(i);
    if (slot == NO_SLOT) { return; }
    position[slot] = position[i];
    velocity[slot] = velocity[i];
    identity[slot] = identity[i];
}
