// Solids at the end of the step, and the impulses of the forces on them since the start of the frame.
//!include common/motion

//!read body_force body_pressure
//!write body_impulse

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= params.counts.colliders) { return; }
    let dt = control.dt;
    for (var k = 0u; k < 2u; k++) {
        body_impulse[c][k] += dt * (body_force[c][k] + body_pressure[c][k]);
        body_impulse[c][2u + k] += dt * body_pressure[c][k];
    }
    if (colliders[c].inverse_mass > 0.0) {
        bodies[c] = drifted(bodies[c], colliders[c].inverse_inertia, (1.0 - params.time.first_drift) * dt);
    } else {
        let time = control.time_in_frame + dt;
        bodies[c] = driven(motions[c], time, time);
    }
}
