// Solids at the end of the step.
//!include common/motion

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= params.counts.colliders) { return; }
    let dt = control.dt;
    if (colliders[c].inverse_mass > 0.0) {
        bodies[c] = drifted(bodies[c], colliders[c].inverse_inertia, (1.0 - params.time.first_drift) * dt);
    } else {
        let time = control.time_in_frame + dt;
        bodies[c] = driven(motions[c], time, time);
    }
}
