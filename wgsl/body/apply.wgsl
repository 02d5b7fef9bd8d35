// What an iteration of contacts has changed, for each free body: the impulses on its own particles, and
// in return those on others' that touch through them, summed by a workgroup in a fixed order. Counts
// the contacts, too.
//!include common/contact_pairs

@group(1) @binding(0) var<storage, read> colliders: array<Collider>;
@group(1) @binding(1) var<storage, read> model_position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> contacts: array<Touch>;
@group(1) @binding(3) var<storage, read> contact_other: array<vec4<u32>>;
@group(1) @binding(4) var<storage, read> partners: array<array<u32, 8>>;
@group(1) @binding(5) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(6) var<storage, read_write> body_touches: array<u32>;

var<workgroup> impulses: array<vec3<f32>, 64>;
var<workgroup> twists: array<vec3<f32>, 64>;
var<workgroup> counts: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let number = group.x + group.y * (stage.row / 64u);
    let c = min(number, params.collider_count - 1u);
    let collider = colliders[c];
    let particles = select(0u, collider.particle_count, collider.inverse_mass > 0.0);
    var impulse = vec3<f32>(0.0);
    var twist = vec3<f32>(0.0);
    var count = 0u;
    for (var at = local; at < particles; at += 64u) {
        let k = collider.first_particle + at;
        if (stands(k)) {
            let change = contacts[k].change.xyz;
            impulse += change;
            twist += cross(arms(k, contacts[k].plane.xyz)[0], change);
            count += 1u;
        }
        for (var p = 0u; p < MOST_TOUCHES; p++) {
            let other = partners[k][p];
            if (other != NONE) {
                let change = contacts[other].change.xyz;
                impulse -= change;
                twist -= cross(arms(other, contacts[other].plane.xyz)[1], change);
                count += 1u;
            }
        }
    }
    impulses[local] = impulse;
    twists[local] = twist;
    counts[local] = count;
    for (var width = 32u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next lines add are complete
        if (local < width) {
            impulses[local] += impulses[local + width];
            twists[local] += twists[local + width];
            counts[local] += counts[local + width];
        }
    }
    if (local != 0u || number >= params.collider_count) { return; }
    body_touches[c] = counts[0];
    if (collider.inverse_mass > 0.0) {
        let momentum = bodies[c].angular_momentum.xyz + twists[0];
        let velocity = bodies[c].velocity.xyz + collider.inverse_mass * impulses[0];
        bodies[c].velocity = vec4<f32>(velocity, 0.0);
        bodies[c].angular_momentum = vec4<f32>(momentum, 0.0);
        bodies[c].angular_velocity = vec4<f32>(spin_of(bodies[c].rotation, momentum, collider.inverse_inertia), 0.0);
    }
}
