// Pressure of the particles behind outlets with a level or pressure, in place of that of the equation of state.
//!include common/opening_buffer

//!read sorted_position sorted_identity
//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let who = sorted_identity[s];
    let x = sorted_position[s].xyz;
    let o = opening_of(who, x);
    if (o == NO_OPENING) { return; }
    let kind = openings[o].kind;
    if (kind != OPENING_PRESSURE && kind != OPENING_LEVEL) { return; }
    sorted_velocity[s].w = pressure_behind(o, x, material_of(who).rest_density);
}
