// Motion of solids from one time to another: driven ones along the cubic Hermite curves of their
// frame (crates/model/src/motion.rs, for_frame), free ones by their velocities.
//!include common/control
//!include common/colliders
//!include common/curve
//!include common/settling
//!include shared/frame_motion

//!read colliders motions
//!write bodies

// Position and rotation at one time of the frame, velocities at another.
fn driven(m: FrameMotion, time: f32, velocity_time: f32) -> Body {
    let s = time / params.time.frame_duration;
    let u = velocity_time / params.time.frame_duration;
    let position = m.position.xyz + way_of(m.speed_0.xyz, m.way.xyz, m.speed_1.xyz, s);
    let turn = way_of(m.spin_0.xyz, m.turn.xyz, m.spin_1.xyz, s);
    let velocity = speed_of(m.speed_0.xyz, m.way.xyz, m.speed_1.xyz, u);
    let spin = speed_of(m.spin_0.xyz, m.turn.xyz, m.spin_1.xyz, u);
    let share = m.position.w + s * m.way.w;
    let rate = m.way.w / params.time.frame_duration;
    return Body(vec4<f32>(position, share), turned(m.rotation, turn), vec4<f32>(velocity, rate),
                vec4<f32>(spin, 0.0), vec4<f32>(0.0));
}

// T 13 with the exponential map, which keeps the rotation orthogonal, and with ω at the middle of
// the rotation, found by iteration, which conserves energy as well as angular momentum.
fn drifted(body: Body, inverse_inertia: vec3<f32>, time: f32) -> Body {
    var next = body;
    if (is_settling()) {
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
