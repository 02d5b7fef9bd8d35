// Marks particles beyond an open side of the box of cells as removed, and counts them; the next sort drops them.
//!include common/control_write
//!include common/box

//!read position
//!write identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i) || kind_of(identity[i]) != KIND_FLUID) { return; }
    if (!is_inner(cell_of(position[i].xyz))) {
        identity[i].y |= KIND_REMOVED;
        atomicAdd(&control.left, 1u);
    }
}
