// Slots of the newborn, behind the others, as many as there are; and the number of births without thinning.
//!include common/control
//!include common/foam

//!read foam_births_start
//!write foam_state

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let first = foam_state[FOAM_COUNT];
    let births = foam_births_start[params.counts.capacity];
    let share = foam_state[FOAM_SHARE];
    foam_state[FOAM_FIRST] = first;
    foam_state[FOAM_END] = first + min(births, stage.element_count - first);
    // Without a share there is nothing to tell it by.
    if (share > 0u) {
        foam_state[FOAM_DEMAND] = births / share * 1024u + births % share * 1024u / share;
    }
    if (share < 1024u || births > stage.element_count - first) { foam_state[FOAM_THINNED] += 1u; }
}
