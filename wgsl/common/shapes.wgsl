// Signed distances of solids and containers. Points are in
// the collider's own axes; a contact is the normal towards the fluid and the distance of the
// particle's centre from the wall, negative beyond it.
//!include common/bodies
//!include common/grid
//!include shared/collider
//!include shared/scene
//!include shared/shapes

// The collider's shape, known to the compiler where all have the same.
fn shape_of(collider: Collider) -> u32 {
    if (SEVERAL_SHAPES) { return collider.shape; }
    return ONLY_SHAPE;
}

struct Contact {
    normal: vec3<f32>,
    distance: f32,
}

fn to_local(collider: Collider, x: vec3<f32>) -> vec3<f32> {
    let d = displacement(x, collider.position);
    return rotate(vec4<f32>(-collider.rotation.xyz, collider.rotation.w), d);
}

// The collider where its body is now.
fn posed(collider: Collider, body: Body) -> Collider {
    var now = collider;
    now.position = body.position.xyz;
    now.rotation = body.rotation;
    now.velocity = body.velocity.xyz;
    now.angular_velocity = body.angular_velocity.xyz;
    return now;
}

// v / |v|, and +y where that is undefined.
fn direction_of(v: vec3<f32>) -> vec3<f32> {
    let l = length(v);
    return select(v / l, vec3<f32>(0.0, 1.0, 0.0), l == 0.0);
}

fn sign_of(x: f32) -> f32 {
    return select(1.0, -1.0, x < 0.0);
}

// The nearest point of the surface, from outside the solid.
fn solid_contact(collider: Collider, p: vec3<f32>) -> Contact {
    switch shape_of(collider) {
        case SHAPE_BOX: {
            let q = abs(p) - collider.half_extents;
            let towards = vec3<f32>(sign_of(p.x), sign_of(p.y), sign_of(p.z));
            if (max(q.x, max(q.y, q.z)) > 0.0) {
                let beyond = max(q, vec3<f32>(0.0));
                return Contact(direction_of(beyond) * towards, length(beyond));
            }
            // Inside: the nearest face.
            if (q.x >= q.y && q.x >= q.z) { return Contact(vec3<f32>(towards.x, 0.0, 0.0), q.x); }
            if (q.y >= q.z) { return Contact(vec3<f32>(0.0, towards.y, 0.0), q.y); }
            return Contact(vec3<f32>(0.0, 0.0, towards.z), q.z);
        }
        case SHAPE_PLANE: {
            return Contact(vec3<f32>(0.0, 1.0, 0.0), p.y);
        }
        case SHAPE_CYLINDER: {
            let radial = vec3<f32>(p.x, 0.0, p.z);
            let side = length(radial) - collider.radius;
            let cap = abs(p.y) - collider.half_extents.y;
            // Off the axis; on it any radial direction will do, so long as it is one.
            let outward = select(direction_of(radial), vec3<f32>(1.0, 0.0, 0.0), all(radial == vec3<f32>(0.0)));
            let up = vec3<f32>(0.0, sign_of(p.y), 0.0);
            if (side > 0.0 && cap > 0.0) {
                let l = length(vec2<f32>(side, cap));
                return Contact((side * outward + cap * up) / l, l);
            }
            if (side >= cap) { return Contact(outward, side); }
            return Contact(up, cap);
        }
        case SHAPE_CAPSULE: {
            let d = p - vec3<f32>(0.0, clamp(p.y, -collider.half_extents.y, collider.half_extents.y), 0.0);
            return Contact(direction_of(d), length(d) - collider.radius);
        }
        default: { // sphere
            return Contact(direction_of(p), length(p) - collider.radius);
        }
    }
}

// How many walls a collider has, each of which must be kept from: a container's faces meet in
// edges and corners, where a particle touches several.
fn contact_count(collider: Collider) -> u32 {
    if (collider.inside == 1u && shape_of(collider) == SHAPE_BOX) { return 3u; }
    if (collider.inside == 1u && shape_of(collider) == SHAPE_CYLINDER) { return 2u; }
    return 1u;
}

fn contact_of(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    if (collider.inside == 0u || shape_of(collider) == SHAPE_PLANE) {
        return solid_contact(collider, p);
    }
    switch shape_of(collider) {
        case SHAPE_BOX: {
            var axis = vec3<f32>(0.0);
            axis[k] = -sign_of(p[k]);
            return Contact(axis, collider.half_extents[k] - abs(p[k]));
        }
        case SHAPE_CYLINDER: {
            if (k == 1u) {
                return Contact(vec3<f32>(0.0, -sign_of(p.y), 0.0), collider.half_extents.y - abs(p.y));
            }
            let radial = vec3<f32>(p.x, 0.0, p.z);
            let outward = select(direction_of(radial), vec3<f32>(1.0, 0.0, 0.0), all(radial == vec3<f32>(0.0)));
            return Contact(-outward, collider.radius - length(radial));
        }
        default: {
            let outer = solid_contact(collider, p);
            return Contact(-outer.normal, -outer.distance);
        }
    }
}
