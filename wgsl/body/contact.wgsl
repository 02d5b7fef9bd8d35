// Contact of each particle of a free body: with the nearest driven solid, or with the free body
// whose particle is nearest (body/near). Distances are those from the other's shape, less the depth
// of particles below their own surface; of a ball, those of its centre less its radius. Two solids at a distance d may approach each
// other at d/Δt; overlapping ones must separate slowly. A contact starts from the impulse of the last step where the particle carried
// one and touches the same solid as then.
//!include common/control
//!include shared/walls
//!include common/contacts
//!include common/contact_place
//!include common/body_particles
//!include common/parked
//!include common/worlds

//!read sorted_position colliders bodies distances
//!write contacts contact_other

// Share of an overlap that is resolved in a step, and the overlap that remains, in spacings.
const PARTING = 0.1;
const LEFT = 0.02;
// Larger than any speed in m/s, without overflow of its square.
const FASTEST = 1e15;
// Cosine of the largest angle by which a plane may turn in a step and still be the same.
const SAME = 0.9;

// The particle's place from its body's centre, and the nearest contact so far.
var<private> arm: vec3<f32>;
var<private> gap: f32;
var<private> normal: vec3<f32>;
var<private> other: u32;

// Keeps a contact with solid c if it is nearer.
fn meet(body: Collider, collider: Collider, x: vec3<f32>, face: u32, c: u32) {
    // A ball may touch several faces of a mesh, of which its particles know.
    let by_center = body.ball > 0.0 && walls_of(collider).count == 1u;
    let start = select(arm, vec3<f32>(0.0), by_center);
    let contact = wall_contact(collider, to_local(collider, x - arm + start), face);
    let n = rotate(collider.rotation, contact.normal);
    let left = contact.distance + dot(contact_place(body, arm, n) - start, n);
    if (touches_there(body, arm, n) && left < gap) {
        gap = left;
        normal = n;
        other = c;
    }
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
    other = NONE;
    if (near.y != NONE) {
        let c = near.y;
        let collider = posed(colliders[c], bodies[c]);
        // A ball knows itself where it is touched, and of two balls the first does.
        if (collider.ball == 0.0 || (body.ball > 0.0 && own < c)) { meet(body, collider, x, 0u, c); }
    }
    let driven = driven_of(world_of_solid(own));
    let end = select(driven.y, driven.x, is_parked(bodies[own]));
    for (var c = driven.x; c < end; c++) {
        let collider = posed(colliders[c], bodies[c]);
        if (body.group != 0u && collider.group == body.group) { continue; }
        for (var face = 0u; face < walls_of(collider).count; face++) { meet(body, collider, x, face, c); }
    }
    var wanted = 0.0;
    var closing = 0.0;
    var hits = false;
    if (other != NONE && control.dt == 0.0) {
        // The first pass over the pipeline has no length: nothing is stopped in it.
        wanted = -FASTEST;
    } else if (other != NONE) {
        let a = posed(colliders[own], bodies[own]);
        let b = posed(colliders[other], bodies[other]);
        if (body.ball > 0.0 && walls_of(b).count == 1u) {
            // The line of centres when the ball arrives, which turns on the way.
            let v = a.velocity - b.velocity - cross(b.angular_velocity, displacement(x - arm, b.position));
            let speed = max(-dot(v, normal), 1e-30);
            let way = min(max(gap, 0.0) / speed, control.dt) * v;
            normal = rotate(b.rotation, wall_contact(b, to_local(b, x - arm + way), 0u).normal);
        }
        let arm_a = contact_place(body, arm, normal);
        let arm_b = arm_a + displacement(a.position, b.position);
        let v_a = a.velocity + cross(a.angular_velocity, arm_a);
        let v_b = b.velocity + cross(b.angular_velocity, arm_b);
        closing = dot(v_a - v_b, normal);
        wanted = -gap / control.dt;
        if (gap < 0.0) {
            wanted = PARTING * max(-gap - LEFT * 2.0 * params.world.particle_radius, 0.0) / control.dt;
        }
        enter_solid(own);
        let slow = SLOW * control.dt * length(gravity());
        hits = gap + control.dt * closing < 0.0 && closing < -slow;
    }
    let last = contacts[particle.k];
    let carried = last.change.w > 0.0 && u32(round(last.total.w)) == other + 1u && dot(last.plane.xyz, normal) > SAME;
    var first = vec3<f32>(0.0);
    if (other != NONE && carried && !hits) {
        // In the axes of this step's plane, for this step's length.
        let pressed = dot(last.total.xyz, last.plane.xyz);
        let along = last.total.xyz - pressed * last.plane.xyz;
        first = min(control.dt / last.change.w, 1.0) * (pressed * normal + along - dot(along, normal) * normal);
    }
    contacts[particle.k] = Touch(
        vec4<f32>(normal, wanted),
        vec4<f32>(first, select(0.0, f32(other + 1u), other != NONE && carried)),
        vec4<f32>(gap + control.dt * closing, gap, select(0.0, 1.0, hits), 0.0)
    );
    contact_other[particle.k].y = other;
}
