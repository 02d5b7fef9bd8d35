// Densities of particles without the correction (tension/correct), which what comes between steps reads. At the end of a step
// particles are in the order of the sort.
//!include common/control

//!read density identity
//!write position

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    if (kind_of(identity[s]) == KIND_FLUID) { position[s].w = density[s]; }
}
