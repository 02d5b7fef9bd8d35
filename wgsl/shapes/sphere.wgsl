// A sphere of radius r: |p| − r.
//!include common/colliders

fn sphere_outside(collider: Collider, p: vec3<f32>) -> Contact {
    return Contact(direction_of(p), length(p) - collider.radius);
}

fn sphere_walls(collider: Collider) -> Walls {
    return Walls(1u, 1u);
}

fn sphere_wall(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    return facing(collider, sphere_outside(collider, p));
}
