// Motion of free bodies by their velocities.
//!include common/bodies
//!include common/settling

// T 13 with the exponential map, which keeps the rotation orthogonal, and with ω at the middle of
// the rotation, found by iteration, which conserves energy as well as angular momentum.
fn drifted(body: Body, inverse_inertia: vec3<f32>, time: f32) -> Body {
    var next = body;
    // Not by the uniforms alone (docs/adding.md).
    if (is_settling() & (inverse_inertia.x >= 0.0)) {
        next.velocity = vec4<f32>(0.0);
        next.angular_velocity = vec4<f32>(0.0);
        next.angular_momentum = vec4<f32>(0.0);
        return next;
    }
    let momentum = body.angular_momentum.xyz;
    var spin = spin_of(body.rotation, momentum, inverse_inertia);
    for (var k = 0; k < 3; k++) {
        spin = spin_of(turned(body.rotation, 0.5 * time * spin), momentum, inverse_inertia);
    }
    next.position = vec4<f32>(body.position.xyz + time * body.velocity.xyz, 0.0);
    next.rotation = turned(body.rotation, time * spin);
    next.angular_velocity = vec4<f32>(spin_of(next.rotation, momentum, inverse_inertia), 0.0);
    return next;
}
