// Particles behind outlets with a level or pressure p have κ = p Δt² in place of that of the last step, as those behind other open
// boundaries have none: no iteration changes it, since their factor is 0.
//!include common/opening_buffer

//!read sorted_velocity
//!write kappa

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    let o = opening_of(s);
    if (o == NO_OPENING) { return; }
    kappa[s] = control.dt * control.dt * pressure_behind(o, s, sorted_velocity[s].xyz);
}
