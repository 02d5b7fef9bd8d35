// The half-space below the local plane y = 0; the fluid is above it.
//!include common/colliders

fn plane_outside(collider: Collider, p: vec3<f32>) -> Contact {
    return Contact(vec3<f32>(0.0, 1.0, 0.0), p.y);
}

fn plane_walls(collider: Collider) -> Walls {
    return Walls(1u, 1u);
}

fn plane_wall(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    return plane_outside(collider, p);
}
