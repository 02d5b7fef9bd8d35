// Solids push foam out as they do the fluid, up to a quarter of a particle radius, and take the velocity into them; spray that lies
// on one ages. What has lived its time, is outside of the domain, or is at no finite place does not live on.
//!include common/control
//!include shared/walls
//!include common/foam

//!read foam_state foam_moved_identity colliders bodies distances
//!write foam_moved_position foam_moved_velocity foam_alive

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    if (i >= foam_state[FOAM_END]) {
        foam_alive[i] = 0u;
        return;
    }
    let place = foam_moved_position[i];
    let motion = foam_moved_velocity[i];
    var x = place.xyz;
    var v = motion.xyz;
    var touches = false;
    let least = 0.25 * params.world.particle_radius;
    for (var c = 0u; c < params.counts.colliders; c++) {
        let collider = posed(colliders[c], bodies[c]);
        let walls = walls_of(collider);
        for (var k = 0u; k < walls.count; k++) {
            let contact = wall_contact(collider, to_local(collider, x), k);
            let penetration = least - contact.distance;
            if (penetration <= 0.0) { continue; }
            let n = rotate(collider.rotation, contact.normal);
            let arm = displacement(x, collider.position);
            let v_n = dot(v - velocity_of_wall(collider, x, arm), n);
            x += penetration * n;
            v -= min(v_n, 0.0) * n;
            touches = true;
        }
    }
    let ages = touches && foam_moved_identity[i].y == FOAM_SPRAY && i < foam_state[FOAM_FIRST];
    let life = place.w - select(0.0, bitcast<f32>(foam_state[FOAM_STEP]), ages);
    foam_moved_position[i] = vec4<f32>(x, life);
    foam_moved_velocity[i] = vec4<f32>(v, motion.w);
    // Comparisons with NaN are false.
    let inside = all(x >= params.world.low) && all(x <= params.world.high);
    foam_alive[i] = select(0u, 1u, inside && life > 0.0);
}
