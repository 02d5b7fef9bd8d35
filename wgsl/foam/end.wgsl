// Numbers of the live, of the born and of the dead.
//!include common/control
//!include common/foam

//!read foam_alive_start
//!write foam_state

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let count = foam_alive_start[stage.element_count];
    let end = foam_state[FOAM_END];
    foam_state[FOAM_BORN] += end - foam_state[FOAM_FIRST];
    foam_state[FOAM_DIED] += end - count;
    foam_state[FOAM_COUNT] = count;
}
