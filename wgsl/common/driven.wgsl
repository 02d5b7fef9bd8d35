// Particles that the mouth of an emitter drives: those that it emitted, while they are near.
//!include common/torus
//!include shared/emitter_params

//!read emitters

// Velocity of the mouth in m/s, and in w whether it drives this particle (1 or 0).
fn driven(who: vec2<u32>, x: vec3<f32>) -> vec4<f32> {
    let number = who.y >> 16u;
    if (kind_of(who) != KIND_FLUID || number == 0u) { return vec4<f32>(0.0); }
    let emitter = emitters[number - 1u];
    let offset = displacement(x, emitter.center);
    let ahead = dot(offset, emitter.direction);
    let aside = offset - ahead * emitter.direction;
    // A mouth may have moved away from what it emitted.
    let near = ahead < emitter.reach && ahead > -params.world.particle_radius
        && dot(aside, aside) < emitter.radius * emitter.radius;
    return select(vec4<f32>(0.0), vec4<f32>(emitter.velocity, 1.0), near);
}
