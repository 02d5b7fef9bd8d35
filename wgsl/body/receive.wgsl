// Impulses of a grid's cells on each body, J = Σ: v += J/m, L += Σ (x − r_g) × J. On bodies that do not move freely their force
// is only measured, as on walls. The speeds of free ones limit the next step, by control.max_signal.
//!include common/control_write
//!include common/colliders
//!include common/collider_sums

//!read colliders body_partial
//!write bodies body_force

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= params.counts.colliders) { return; }
    var impulse = vec3<f32>(0.0);
    var twist = vec3<f32>(0.0);
    let parts = sums_of_collider();
    for (var k = 0u; k < parts; k++) {
        impulse += body_partial[c * parts + k][0].xyz;
        twist += body_partial[c * parts + k][1].xyz;
    }
    let collider = colliders[c];
    if (collider.is_body == 0u) { return; }
    let per_step = select(0.0, 1.0 / control.dt, control.dt > 0.0);
    body_force[c][0] += vec4<f32>(per_step * impulse, 0.0);
    body_force[c][1] += vec4<f32>(per_step * twist, 0.0);
    if (collider.inverse_mass == 0.0) { return; }
    let momentum = bodies[c].angular_momentum.xyz + twist;
    let velocity = bodies[c].velocity.xyz + collider.inverse_mass * impulse;
    bodies[c].velocity = vec4<f32>(velocity, 0.0);
    atomicMax(&control.max_signal_bits, bitcast<u32>(length(velocity)));
    bodies[c].angular_momentum = vec4<f32>(momentum, 0.0);
    bodies[c].angular_velocity = vec4<f32>(spin_of(bodies[c].rotation, momentum, collider.inverse_inertia), 0.0);
}
