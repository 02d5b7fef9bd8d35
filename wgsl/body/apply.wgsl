// Applies the changes of an iteration of contacts to each free body: the impulses on its own
// particles, and the reactions to those of other bodies' particles that touch through them, summed
// in a fixed order by as many invocations as there are elements for a collider. Also counts the
// contacts.
//!include common/contact_pairs
//!include common/body_sums

@group(1) @binding(0) var<storage, read> colliders: array<Collider>;
@group(1) @binding(1) var<storage, read> model_position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> contacts: array<Touch>;
@group(1) @binding(3) var<storage, read> contact_other: array<vec4<u32>>;
@group(1) @binding(4) var<storage, read> partners: array<array<u32, 8>>;
@group(1) @binding(5) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(6) var<storage, read_write> body_touches: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let width = stage.element_count / params.counts.colliders;
    let number = element(global_id) / width;
    let lane = local % width;
    let c = min(number, params.counts.colliders - 1u);
    let collider = colliders[c];
    let particles = select(0u, collider.particle_count, collider.inverse_mass > 0.0);
    var impulse = vec3<f32>(0.0);
    var twist = vec3<f32>(0.0);
    var count = 0u;
    for (var at = lane; at < particles; at += width) {
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
    if (lane != 0u || number >= params.counts.colliders) { return; }
    body_touches[c] = sums.count;
    if (collider.inverse_mass > 0.0) {
        let momentum = bodies[c].angular_momentum.xyz + sums.torque;
        let velocity = bodies[c].velocity.xyz + collider.inverse_mass * sums.force;
        bodies[c].velocity = vec4<f32>(velocity, 0.0);
        bodies[c].angular_momentum = vec4<f32>(momentum, 0.0);
        bodies[c].angular_velocity = vec4<f32>(spin_of(bodies[c].rotation, momentum, collider.inverse_inertia), 0.0);
    }
}
