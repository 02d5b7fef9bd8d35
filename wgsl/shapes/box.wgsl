// A box with half extents h. The distance is |max(|p| − h, 0)| outside, and that of the nearest
// face inside. A container has three pairs of faces as walls, which meet in edges and corners,
// where a particle touches several.
//!include common/colliders

fn box_outside(collider: Collider, p: vec3<f32>) -> Contact {
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

fn box_walls(collider: Collider) -> Walls {
    if (collider.inside == 1u) { return Walls(3u, 3u); }
    return Walls(1u, 1u);
}

fn box_wall(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    if (collider.inside == 0u) { return box_outside(collider, p); }
    var axis = vec3<f32>(0.0);
    axis[k] = -sign_of(p[k]);
    return Contact(axis, collider.half_extents[k] - abs(p[k]));
}
