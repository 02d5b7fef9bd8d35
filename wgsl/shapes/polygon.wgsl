// A polygon in 2-D: the mesh of a prism over it, by a grid of distances with two layers of nodes, between which z = 0 lies.
//!include shapes/mesh

fn polygon_outside(collider: Collider, p: vec3<f32>) -> Contact {
    return mesh_outside(collider, p);
}

fn polygon_walls(collider: Collider) -> Walls {
    return mesh_walls(collider);
}

fn polygon_wall(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    return mesh_wall(collider, p, k);
}
