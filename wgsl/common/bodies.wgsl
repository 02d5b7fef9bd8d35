// Current state of solids, and rotations.
//!include shared/body
//!include common/series

// v rotated by the unit quaternion q.
fn rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// Product of two quaternions: rotation by b, then by a.
fn compose(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

fn inverse_of(q: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(-q.xyz, q.w);
}

// q rotated further by |v| about v.
fn turned(q: vec4<f32>, v: vec3<f32>) -> vec4<f32> {
    let angle = length(v);
    // |v|/2 less k half turns, each of which changes both signs; π in two parts.
    let k = round(0.5 * angle / 3.14159265);
    let rest = (0.5 * angle - k * 3.140625) - k * 9.67653590e-4;
    let series = sinc_and_cos(rest);
    let sign = 1.0 - 2.0 * (k - 2.0 * floor(0.5 * k));
    let share = select(rest / angle, 0.5, k == 0.0) * series.x;
    return normalize(compose(sign * vec4<f32>(share * v, series.y), q));
}

// ω = I⁻¹ L by the moments of inertia in local axes.
fn spin_of(rotation: vec4<f32>, angular_momentum: vec3<f32>, inverse_inertia: vec3<f32>) -> vec3<f32> {
    return rotate(rotation, inverse_inertia * rotate(inverse_of(rotation), angular_momentum));
}

// Velocity of the body's point at `arm` from its centre.
fn velocity_at(body: Body, arm: vec3<f32>) -> vec3<f32> {
    return body.velocity.xyz + cross(body.angular_velocity.xyz, arm);
}
