// Pressure of the particles behind outlets with a level or pressure, in place of that of the equation of state.
//!include common/opening_buffer

//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    let o = opening_of(s);
    if (o == NO_OPENING) { return; }
    let kind = openings[o].kind;
    if (kind != OPENING_PRESSURE && kind != OPENING_LEVEL) { return; }
    sorted_velocity[s].w = pressure_behind(o, s, sorted_velocity[s].xyz);
}
