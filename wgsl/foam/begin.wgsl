// Whether the foam is updated in this step, and the time since the last update. And the share of births that there is
// room for, by the number of births that the last update would have had.
//!include common/control
//!include common/foam

//!write foam_state foam_dispatch

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let elapsed = bitcast<f32>(foam_state[FOAM_ELAPSED]) + control.dt;
    let steps = foam_state[FOAM_STEPS] + 1u;
    let last = control.dt >= params.time.frame_duration - control.time_in_frame;
    let due = control.primed == 1u && (last || steps >= params.methods.foam.every);
    foam_state[FOAM_STEPS] = select(steps, 0u, due);
    foam_state[FOAM_ELAPSED] = bitcast<u32>(select(elapsed, 0.0, due));
    if (due) {
        foam_state[FOAM_STEP] = bitcast<u32>(elapsed);
        let room = stage.element_count - foam_state[FOAM_COUNT];
        let demand = foam_state[FOAM_DEMAND];
        // Without overflow of the product.
        let share = select(room / max(demand / 1024u, 1u), room * 1024u / max(demand, 1u), demand < 0x400000u);
        foam_state[FOAM_SHARE] = select(share, 1024u, room >= demand);
    }
    for (var k = 0u; k < FOAM_SIZES; k++) { foam_dispatch[3u * k + 2u] = select(0u, 1u, due); }
}
