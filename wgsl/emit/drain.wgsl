// Marks particles inside a drain, or outside an inverted one, as removed; the next sort drops them.
//!include common/control
//!include shared/walls

//!read regions position distances
//!write identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i) || kind_of(identity[i]) != KIND_FLUID) { return; }
    for (var d = 0u; d < params.counts.drains; d++) {
        let drain = regions[d];
        let contact = outer_contact(drain, to_local(drain, position[i].xyz));
        if (select(contact.distance, -contact.distance, drain.inside == 1u) < 0.0) {
            identity[i].y |= KIND_REMOVED;
        }
    }
}
