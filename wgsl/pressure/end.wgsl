// End of conjugate gradients for pressure: the last step, and half of what the diagonal would still correct, at no
// further walk.
//!include common/control
//!include common/pressure_step

//!read sorted_identity pressure_state pressure_scalars factor
//!write kappa

const SHARE = 0.5;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    if (kind_of(sorted_identity[s]) != KIND_FLUID) {
        kappa[s] = 0.0;
        return;
    }
    let last = after_step(pressure_state[s], pressure_scalars[0].x);
    kappa[s] = max(last.kappa + SHARE * factor[s].x * last.error, 0.0);
}
