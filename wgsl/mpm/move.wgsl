// Grid update between P2G and G2P: velocities of the nodes after gravity, force fields and contact with solids, wall by wall:
//   sticky     the wall's velocity
//   slip       without the part along the normal
//   separate   where it approaches: without that part, and less by the friction μ_f |v_n|
//!include common/control
//!include common/busy
//!include common/force_fields
//!include shared/walls
//!include shared/responses

//!read colliders bodies distances
//!write node

fn after_contact(collider: Collider, relative: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let v_n = dot(relative, n);
    let tangential = relative - v_n * n;
    if (collider.response == RESPONSE_STICKY) { return vec3<f32>(0.0); }
    if (collider.response == RESPONSE_SLIP) { return tangential; }
    if (v_n >= 0.0) { return relative; }
    let speed = length(tangential);
    return max(0.0, 1.0 + collider.friction * v_n / max(speed, 1e-20)) * tangential;
}

// A node within Δx of a wall has no particles on the wall's side that would balance the stress on the others: moving
// freely, it would press them together there, and water in a tank would rise at the walls for ever. So contact begins
// there, and not in the solid.
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let before = node[c];
    if (before.w <= LEAST_MASS * params.materials[0].rest_density * cell_volume()) { return; }
    let x = cell_center(cell);
    var v = before.xyz + control.dt * (params.world.gravity + field_acceleration(x));
    for (var k = 0u; k < params.counts.driven; k++) {
        let collider = posed(colliders[k], bodies[k]);
        let walls = walls_of(collider);
        for (var wall = 0u; wall < walls.distinct; wall++) {
            let contact = wall_contact(collider, to_local(collider, x), wall);
            if (contact.distance >= params.grid.cell) { continue; }
            let arm = displacement(x, collider.position);
            let own = collider.velocity + cross(collider.angular_velocity, arm);
            v = own + after_contact(collider, v - own, rotate(collider.rotation, contact.normal));
        }
    }
    node[c] = vec4<f32>(v, before.w);
}
