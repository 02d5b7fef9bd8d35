// Marks particles behind an open boundary as removed, and counts them; the next sort drops them.
//!include common/control
//!include common/openings

//!read position
//!write identity
//!atomic opening_counts

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i) || kind_of(identity[i]) != KIND_FLUID) { return; }
    let x = position[i].xyz;
    for (var o = 0u; o < params.counts.openings; o++) {
        let opening = openings[o];
        let distance = behind(opening, x);
        if (distance <= opening.keep || distance > opening.depth) { continue; }
        if (!is_within(opening, x, 2.0 * params.world.particle_radius)) { continue; }
        identity[i].y |= KIND_REMOVED;
        atomicAdd(&opening_counts[2u * o + 1u], 1u);
        return;
    }
}
