// Solids as they move: crates/model/src/params.rs, Body. The w lanes but rotation's are not used.

struct Body {
    position: vec4<f32>,
    // Unit quaternion from local to world axes.
    rotation: vec4<f32>,
    velocity: vec4<f32>,
    angular_velocity: vec4<f32>,
    angular_momentum: vec4<f32>,
}

// v turned by the unit quaternion q.
fn rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// The product of two quaternions: first b, then a.
fn compose(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

fn inverse_of(q: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(-q.xyz, q.w);
}

// q turned further by |v| about v.
fn turned(q: vec4<f32>, v: vec3<f32>) -> vec4<f32> {
    let angle = length(v);
    let share = select(0.5, sin(0.5 * angle) / angle, angle > 1e-6);
    return normalize(compose(vec4<f32>(share * v, cos(0.5 * angle)), q));
}

// ω = I⁻¹ L by the moments of inertia in local axes.
fn spin_of(rotation: vec4<f32>, angular_momentum: vec3<f32>, inverse_inertia: vec3<f32>) -> vec3<f32> {
    return rotate(rotation, inverse_inertia * rotate(inverse_of(rotation), angular_momentum));
}

// Velocity of a point of the body, `arm` from its centre.
fn velocity_at(body: Body, arm: vec3<f32>) -> vec3<f32> {
    return body.velocity.xyz + cross(body.angular_velocity.xyz, arm);
}
