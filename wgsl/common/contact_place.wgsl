// Where a particle of a body touches a plane.
//!include common/params
//!include shared/collider

// Impacts slower than what gravity adds in this many steps do not rebound.
const SLOW = 4.0;
// Cosine of the largest angle between a ball's lowest point and the particles that touch through it.
const AROUND = 0.7;

// From the body's centre: below the particle, which is `arm` from it, or a ball's own lowest point.
fn contact_place(body: Collider, arm: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    if (body.ball > 0.0) { return -body.ball * normal; }
    return arm - params.world.body_depth * normal;
}

// Whether the particle knows of that place.
fn touches_there(body: Collider, arm: vec3<f32>, normal: vec3<f32>) -> bool {
    return body.ball == 0.0 || dot(arm, normal) < -AROUND * length(arm);
}
