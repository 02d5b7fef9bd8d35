// Counting sort, part 1 (common/counted), that marks particles beyond an open side of the box of cells as removed, and counts these.
//!include common/control_write
//!include common/counted
//!include common/box

//!write identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    var who = identity[i];
    if (kind_of(who) == KIND_FLUID && !is_inner(cell_of(position[i].xyz))) {
        who.y |= KIND_REMOVED;
        identity[i] = who;
        atomicAdd(&control.left, 1u);
    }
    count_particle(i, who);
}
