// Length of the time step (common/step_length); then solids at the time at which forces are computed: half a step ahead in leap-frog, at the step's
// start in semi-implicit Euler. Driven solids have their velocity at the middle of the step. Resets
// forces, and impulses at the start of a frame.
//!include common/all_active
//!include common/step_length
//!include common/motion
//!include common/fall

//!write body_force body_pressure body_impulse

fn begin(c: u32) {
    for (var k = 0u; k < 2u; k++) {
        body_force[c][k] = vec4<f32>(0.0);
        body_pressure[c][k] = vec4<f32>(0.0);
    }
    // Not by the uniforms alone (docs/adding.md).
    if ((control.steps_in_frame == 0u) & (c < params.counts.colliders)) {
        for (var k = 0u; k < 4u; k++) { body_impulse[c][k] = vec4<f32>(0.0); }
    }
    let dt = control.dt;
    if (colliders[c].inverse_mass > 0.0) {
        bodies[c] = drifted(bodies[c], colliders[c].inverse_inertia, params.time.first_drift * dt);
        enter_solid(c);
        bodies[c].position.w = along_gravity(bodies[c].velocity.xyz);
    } else {
        let now = control.time_in_frame;
        bodies[c] = driven(motions[c], now + params.time.first_drift * dt, now + 0.5 * dt);
    }
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    if (local == 0u) { begin_step(); }
    storageBarrier(); // the step's length is there
    for (var c = local; c < params.counts.colliders; c += 64u) { begin(c); }
}
