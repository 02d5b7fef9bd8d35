// A capsule about local y: distance r from the segment between its ends' centres, at ±h.y.
//!include common/colliders

fn capsule_outside(collider: Collider, p: vec3<f32>) -> Contact {
    let d = p - vec3<f32>(0.0, clamp(p.y, -collider.half_extents.y, collider.half_extents.y), 0.0);
    return Contact(direction_of(d), length(d) - collider.radius);
}

fn capsule_walls(collider: Collider) -> Walls {
    return Walls(1u, 1u);
}

fn capsule_wall(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    return facing(collider, capsule_outside(collider, p));
}
