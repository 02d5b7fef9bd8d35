// Solids at the end of the step, where those in free fall are not too far (common/fall), and the impulses of the forces on them
// since the start of the frame.
//!include common/control
//!include common/motion
//!include common/fall

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
        enter_solid(c);
        let change = along_gravity(bodies[c].velocity.xyz) - bodies[c].position.w;
        bodies[c] = drifted(bodies[c], colliders[c].inverse_inertia, (1.0 - params.time.first_drift) * dt);
        let falls = (params.time.first_drift == 0.0) & !is_settling();
        bodies[c].position -= vec4<f32>(select(vec3<f32>(0.0), too_far(change), falls), 0.0);
    } else {
        let time = control.time_in_frame + dt;
        bodies[c] = driven(motions[c], time, time);
    }
}
