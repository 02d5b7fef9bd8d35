// Warm start of a loop: a share of the last step's pressures, in this step's order (Ihmsen et al.
// 2014, Algorithm 1).
//!include common/control

//!read order sorted_identity
//!read warm: array<f32>
//!write kappa

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let part = params.loops[stage.loop_index - 1u].warm_start * control.dt * control.dt;
    kappa[s] = select(0.0, part * warm[order[s]], kind_of(sorted_identity[s]) == KIND_FLUID);
}
