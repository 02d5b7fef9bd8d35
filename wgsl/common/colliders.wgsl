// Colliders and contacts with them. Points are in the collider's own axes; a contact is the normal
// towards the fluid and the distance of the particle's centre from the wall, negative beyond it.
// Shapes are in wgsl/shapes/.
//!include common/bodies
//!include common/torus
//!include shared/collider

struct Contact {
    normal: vec3<f32>,
    distance: f32,
}

fn to_local(collider: Collider, x: vec3<f32>) -> vec3<f32> {
    let d = displacement(x, collider.position);
    return rotate(vec4<f32>(-collider.rotation.xyz, collider.rotation.w), d);
}

// The collider at the current place of its body.
fn posed(collider: Collider, body: Body) -> Collider {
    var now = collider;
    now.position = body.position.xyz;
    now.rotation = body.rotation;
    now.velocity = body.velocity.xyz;
    now.angular_velocity = body.angular_velocity.xyz;
    now.share = body.position.w;
    now.rate = body.velocity.w;
    return now;
}

// v / |v|; +y if that is undefined.
fn direction_of(v: vec3<f32>) -> vec3<f32> {
    let l = length(v);
    return select(v / l, vec3<f32>(0.0, 1.0, 0.0), l == 0.0);
}

fn sign_of(x: f32) -> f32 {
    return select(1.0, -1.0, x < 0.0);
}

// Walls of a collider, which particles are kept away from one after another.
struct Walls {
    count: u32,
    // Number of different walls, which come first: each of their springs pushes only once.
    distinct: u32,
}

// Contact on the fluid's side, from the contact outside the solid. Sheets (inside = 2) have fluid
// on both sides.
fn facing(collider: Collider, outer: Contact) -> Contact {
    if (collider.inside == 1u) { return Contact(-outer.normal, -outer.distance); }
    return outer;
}
