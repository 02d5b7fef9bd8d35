// Nearest particle of another free body, within h, for each particle of a free body.
//!include common/control
//!include common/neighbours
//!include shared/collider
//!include common/contacts
//!include common/body_particles
//!include common/parked
//!include common/worlds

//!read sorted_position sorted_identity colliders bodies
//!write contact_other
// The body, NONE for what is not a free body's particle, and the index among boundary particles.
//!carry body: u32, index: u32

var<private> own: u32;
// Its group, whose bodies do not touch each other.
var<private> group: u32;
// Body and index of the nearest particle, and r².
var<private> nearest: vec2<u32>;
var<private> least: f32;

fn load(j: u32) -> Neighbour {
    let who = sorted_identity[j];
    let k = who.x - params.counts.first_wall;
    let c = who.y >> 16u;
    // A lane beyond the end of its range may hold fluid. Free bodies are the last solids.
    let free = kind_of(who) == KIND_BOUNDARY && c >= params.counts.driven;
    return Neighbour(sorted_position[j], j, select(NONE, c, free), k);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let r2 = dot(offset, offset);
    let apart = neighbour.body == NONE || group == 0u || colliders[neighbour.body].group != group;
    let nearer = r2 < least || (r2 == least && neighbour.index < nearest.y);
    if (mine && apart && neighbour.body != NONE && neighbour.body != own && nearer) {
        nearest = vec2<u32>(neighbour.body, neighbour.index);
        least = r2;
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let particle = body_particle(element(global_id));
    own = sorted_identity[particle.slot].y >> 16u;
    group = colliders[own].group;
    nearest = vec2<u32>(0u);
    least = params.kernel.support_radius_squared;
    for_each_wall(first_cell(sorted_identity[particle.slot]), sorted_position[particle.slot].xyz,
                  particle.exists && !is_parked(bodies[own]));
    if (!particle.exists) { return; }
    var other = vec4<u32>(own, NONE, NONE, 0u);
    if (least < params.kernel.support_radius_squared) { other = vec4<u32>(own, nearest, 1u); }
    contact_other[particle.k] = other;
}
