// Slots that particles get when others have been removed.
//!include common/control

//!read removed removed_start removed_slot

const NO_SLOT = 0xffffffffu;

// New slot of the particle in slot i; NO_SLOT if there is none, or if it stays.
fn slot_to_fill(i: u32) -> u32 {
    if (!has_particle(i)) { return NO_SLOT; }
    let left = control.particle_count - removed_start[stage.element_count];
    if (i < left || removed[i] == 1u) { return NO_SLOT; }
    // Particles that are left between that number and this slot.
    return removed_slot[(i - left) - (removed_start[i] - removed_start[left])];
}
