// Slots of the particles that are emitted in this step.
//!include common/control
//!include shared/emitter_params

//!read emitters emitter_points emission

const NO_SLOT = 0xffffffffu;

// Slot of the particle at point k of all emitters; NO_SLOT if its emitter emits nothing now.
fn new_slot(k: u32) -> u32 {
    if (k >= params.counts.emitter_points) { return NO_SLOT; }
    let e = u32(emitter_points[k].w);
    let slot = emission[e].y + k - emitters[e].first_point;
    return select(NO_SLOT, slot, emission[e].x == 1u);
}
