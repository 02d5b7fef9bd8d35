// The nearest wall of a point, of the solids of its block (common/block_solids, or common/all_solids).
//!include common/control
//!include shared/walls
//!include shared/responses

//!read colliders bodies distances

struct Wall {
    normal: vec3<f32>,
    distance: f32,
    velocity: vec3<f32>,
    response: u32,
    // Number of the solid.
    solid: u32,
}

fn nearest_wall(x: vec3<f32>) -> Wall {
    var nearest = Wall(vec3<f32>(0.0, 1.0, 0.0), 1e30, vec3<f32>(0.0), RESPONSE_SLIP, 0u);
    let block = block_at(x);
    for (var at = 0u; at < solids_near(block); at++) {
        let k = solid_near(block, at);
        let collider = posed(colliders[k], bodies[k]);
        let walls = walls_of(collider);
        for (var wall = 0u; wall < walls.distinct; wall++) {
            let contact = wall_contact(collider, to_local(collider, x), wall);
            if (contact.distance >= nearest.distance) { continue; }
            let arm = displacement(x, collider.position);
            let own = velocity_of_wall(collider, x, arm);
            nearest = Wall(rotate(collider.rotation, contact.normal), contact.distance, own, collider.response, k);
        }
    }
    return nearest;
}
