// The share Ψ that PCISPH holds s below: s less what the step corrects, since it predicts densities anew.
//!include common/control
//!include common/corrected_excess

//!read density
//!write tension_fill

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let fill = tension_fill[i];
    let excess = density[i] / fill.y - 1.0;
    let corrected = corrected_excess(excess, fill.x);
    if (corrected < excess + (1.0 - fill.x)) { tension_fill[i].x = 1.0 + (excess - corrected); }
}
