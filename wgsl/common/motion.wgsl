// Motion of solids from one time to another: driven ones along the cubic Hermite curves of their
// frame (crates/model/src/motion.rs, for_frame), free ones by their velocities.
//!include common/colliders
//!include common/curve
//!include common/drift
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
