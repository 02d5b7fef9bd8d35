// The scene's force fields.
//!include common/torus
//!include shared/force_fields

fn field_acceleration(x: vec3<f32>) -> vec3<f32> {
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
