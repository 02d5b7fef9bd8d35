// Applies the changes of an iteration of contacts to each free body, or the impulses with which
// iterations start: those on its own particles, and the reactions to those of other bodies' particles
// that touch through them, summed in a fixed order by as many invocations as there are elements for a
// collider. Also counts the contacts.
//!include common/contact_pairs
//!include common/body_lane
//!include common/body_sums

//!read colliders model_position contacts contact_other partners
//!write bodies body_touches

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let width = stage.element_count / params.counts.colliders;
    let own = body_lane(element(global_id), local, width);
    let c = own.solid;
    let collider = colliders[c];
    let particles = select(0u, collider.particle_count, collider.inverse_mass > 0.0);
    var impulse = vec3<f32>(0.0);
    var twist = vec3<f32>(0.0);
    var count = 0u;
    for (var at = own.lane; at < particles; at += width) {
        let k = collider.first_particle + at;
        if (stands(k)) {
            let change = contacts[k].change.xyz;
            impulse += change;
            twist += cross(arms(k, contacts[k].plane.xyz)[0], change);
            count += 1u;
        }
        // Partners are in order, NONE last.
        for (var p = 0u; p < MOST_TOUCHES; p++) {
            let other = partners[k][p];
            if (other == NONE) { break; }
            let change = contacts[other].change.xyz;
            impulse -= change;
            twist -= cross(arms(other, contacts[other].plane.xyz)[1], change);
            count += 1u;
        }
    }
    let sums = sums_of(BodySums(impulse, twist, count), local, width);
    if (!own.first) { return; }
    body_touches[c] = sums.count;
    if (collider.inverse_mass > 0.0) {
        let momentum = bodies[c].angular_momentum.xyz + sums.torque;
        let velocity = bodies[c].velocity.xyz + collider.inverse_mass * sums.force;
        bodies[c].velocity = vec4<f32>(velocity, 0.0);
        bodies[c].angular_momentum = vec4<f32>(momentum, 0.0);
        bodies[c].angular_velocity = vec4<f32>(spin_of(bodies[c].rotation, momentum, collider.inverse_inertia), 0.0);
    }
}
