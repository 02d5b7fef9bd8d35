// The scene's force fields.
//!include common/control
//!include common/torus
//!include shared/force_fields

// Acceleration of what is at x with velocity v.
fn field_acceleration(x: vec3<f32>, v: vec3<f32>) -> vec3<f32> {
    var a = vec3<f32>(0.0);
    if (params.counts.force_fields == 0u) {
        return a;
    }
    // A loop that tests at its end: on software Vulkan a test before the body costs an extra
    // iteration.
    var k = 0u;
    loop {
        let field = params.force_fields[k];
        let d = displacement(x, field.center);
        switch field.kind {
            case FIELD_UNIFORM: { // the same everywhere
                a += field.direction;
            }
            case FIELD_ATTRACT: { // towards the centre: s (r0 − r)/|r0 − r| · max(0, 1 − |r0 − r|/R)
                let r = length(d);
                if (r > 0.0) {
                    a -= field.strength * max(0.0, 1.0 - r / field.radius) / r * d;
                }
            }
            case FIELD_SPONGE: { // −s q² v at the end of the step, with q the way into it
                let way = clamp(dot(d, field.direction), 0.0, 1.0);
                let rate = field.strength * way * way;
                a -= rate / (1.0 + rate * control.dt) * v;
            }
            case FIELD_STIR: {} // of smoke, which it moves by itself
            default: { // about the axis: s (â × (r − r0)), tapering to 0 at the radius
                let swirl = cross(field.direction, d);
                a += field.strength * max(0.0, 1.0 - length(swirl) / field.radius) * swirl;
            }
        }
        k += 1u;
        if (k >= params.counts.force_fields) { break; }
    }
    return a;
}
