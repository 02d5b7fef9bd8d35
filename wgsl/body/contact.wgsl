// Contact of each particle of a free body: with the nearest driven solid, or with the free body
// whose particle is nearest (body/near). Distances are those from the other's shape, less the depth
// of particles below their own surface, or from the lowest point of a ball. Two solids at a distance d may approach each other at d/Δt;
// overlapping ones must separate slowly; fast impacts rebound by the coefficient of restitution. Iterations
// start from the impulse of the last step where the particle touches the same solid as then.
//!include common/control
//!include shared/walls
//!include common/contacts
//!include common/contact_place
//!include common/body_particles

//!read sorted_position colliders bodies distances
//!write contacts contact_other

// Share of an overlap that is resolved in a step, and the overlap that remains, in spacings.
const PARTING = 0.1;
const LEFT = 0.02;
// Impacts slower than what gravity adds in this many steps do not rebound.
const SLOW = 4.0;
// Larger than any speed in m/s, without overflow of its square.
const FASTEST = 1e15;
// Cosine of the largest angle by which a plane may turn in a step and still be the same.
const SAME = 0.9;

// The particle's place from its body's centre, and the nearest contact so far.
var<private> arm: vec3<f32>;
var<private> gap: f32;
var<private> normal: vec3<f32>;
var<private> other: vec2<u32>;

// Keeps a contact with the solid `who` if it is nearer.
fn meet(body: Collider, collider: Collider, contact: Contact, who: vec2<u32>) {
    let n = rotate(collider.rotation, contact.normal);
    let left = contact.distance + dot(contact_place(body, arm, n) - arm, n);
    if (touches_there(body, arm, n) && left < gap) {
        gap = left;
        normal = n;
        other = who;
    }
}

// That of the last step, in the axes of this step's plane, for this step's length.
fn first_impulse(last: Touch) -> vec3<f32> {
    let same = other.x != NONE && u32(round(last.total.w)) == other.x + 1u && dot(last.plane.xyz, normal) > SAME;
    if (!same || last.change.w <= 0.0) { return vec3<f32>(0.0); }
    let pressed = dot(last.total.xyz, last.plane.xyz);
    let along = last.total.xyz - pressed * last.plane.xyz;
    return min(control.dt / last.change.w, 1.0) * (pressed * normal + along - dot(along, normal) * normal);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let particle = body_particle(element(global_id));
    if (!particle.exists) { return; }
    let x = sorted_position[particle.slot].xyz;
    let near = contact_other[particle.k];
    let own = near.x;
    let body = colliders[own];
    arm = displacement(x, bodies[own].position.xyz);
    gap = 2.0 * params.world.particle_radius;
    normal = vec3<f32>(0.0);
    other = vec2<u32>(NONE, NONE);
    if (near.y != NONE) {
        let c = near.y;
        let collider = posed(colliders[c], bodies[c]);
        meet(body, collider, wall_contact(collider, to_local(collider, x), 0u), near.yz);
    }
    for (var c = 0u; c < params.counts.driven; c++) {
        let collider = posed(colliders[c], bodies[c]);
        let p = to_local(collider, x);
        for (var face = 0u; face < walls_of(collider).count; face++) {
            meet(body, collider, wall_contact(collider, p, face), vec2<u32>(c, NONE));
        }
    }
    var wanted = 0.0;
    var hits = false;
    if (other.x != NONE && control.dt == 0.0) {
        // The first pass over the pipeline has no length: nothing is stopped in it.
        wanted = -FASTEST;
    } else if (other.x != NONE) {
        let a = posed(colliders[own], bodies[own]);
        let b = posed(colliders[other.x], bodies[other.x]);
        let arm_a = contact_place(body, arm, normal);
        let arm_b = arm_a + displacement(a.position, b.position);
        let v_a = a.velocity + cross(a.angular_velocity, arm_a);
        let v_b = b.velocity + cross(b.angular_velocity, arm_b);
        let approach = dot(v_a - v_b, normal);
        wanted = -gap / control.dt;
        if (gap < 0.0) {
            wanted = PARTING * max(-gap - LEFT * 2.0 * params.world.particle_radius, 0.0) / control.dt;
        }
        let slow = SLOW * control.dt * length(params.world.gravity);
        hits = gap + control.dt * approach < 0.0 && approach < -slow;
        if (hits) {
            wanted = max(wanted, -max(a.restitution, b.restitution) * approach);
        }
    }
    let first = first_impulse(contacts[particle.k]);
    // What an impact needs is no start for the next step.
    let kept = select(control.dt, 0.0, hits);
    contacts[particle.k] = Touch(vec4<f32>(normal, wanted), vec4<f32>(first, 0.0), vec4<f32>(first, kept));
    contact_other[particle.k].y = other.x;
    contact_other[particle.k].z = other.y;
}
