// A cylinder about local y with flat ends, half length h.y and radius r. A container has two walls,
// its side and its ends.
//!include common/colliders

// Off the axis; on it any radial direction will do.
fn cylinder_outward(radial: vec3<f32>) -> vec3<f32> {
    return select(direction_of(radial), vec3<f32>(1.0, 0.0, 0.0), all(radial == vec3<f32>(0.0)));
}

fn cylinder_outside(collider: Collider, p: vec3<f32>) -> Contact {
    let radial = vec3<f32>(p.x, 0.0, p.z);
    let side = length(radial) - collider.radius;
    let cap = abs(p.y) - collider.half_extents.y;
    let outward = cylinder_outward(radial);
    let up = vec3<f32>(0.0, sign_of(p.y), 0.0);
    if (side > 0.0 && cap > 0.0) {
        let l = length(vec2<f32>(side, cap));
        return Contact((side * outward + cap * up) / l, l);
    }
    if (side >= cap) { return Contact(outward, side); }
    return Contact(up, cap);
}

fn cylinder_walls(collider: Collider) -> Walls {
    if (collider.inside == 1u) { return Walls(2u, 2u); }
    return Walls(1u, 1u);
}

fn cylinder_wall(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    if (collider.inside == 0u) { return cylinder_outside(collider, p); }
    if (k == 1u) {
        return Contact(vec3<f32>(0.0, -sign_of(p.y), 0.0), collider.half_extents.y - abs(p.y));
    }
    let radial = vec3<f32>(p.x, 0.0, p.z);
    return Contact(-cylinder_outward(radial), collider.radius - length(radial));
}
