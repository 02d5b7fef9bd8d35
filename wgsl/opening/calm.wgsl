// Particles behind open boundaries have no pressure from the last step, but that of the level or pressure there, in the first loop of
// the step.
//!include common/opening_buffer

//!read sorted_position sorted_identity
//!write kappa

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let who = sorted_identity[s];
    let x = sorted_position[s].xyz;
    let o = opening_of(who, x);
    if (o == NO_OPENING) { return; }
    let pressure = pressure_behind(o, x, material_of(who).rest_density);
    kappa[s] = select(0.0, control.dt * control.dt * pressure, stage.loop_index == 1u);
}
