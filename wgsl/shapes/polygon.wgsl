// A polygon in 2-D: the mesh of a prism over it, by a grid of distances with two layers of nodes, between which z = 0 lies. They differ
// by rounding, so the normal is that of the plane.
//!include shapes/mesh

fn polygon_outside(collider: Collider, p: vec3<f32>) -> Contact {
    let found = mesh_found(collider, p);
    return Contact(direction_of(vec3<f32>(found.xy, 0.0)), found.w);
}

fn polygon_walls(collider: Collider) -> Walls {
    return mesh_walls(collider);
}

fn polygon_wall(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    return facing(collider, polygon_outside(collider, p));
}
