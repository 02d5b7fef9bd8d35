// Particles of other bodies that touch through each particle of a free body: they chose it as their
// nearest one, and this pass finds them, so that both sides of a contact are summed without
// atomics.
//!include common/control
//!include common/neighbours
//!include common/contacts
//!include common/body_particles

//!read sorted_position sorted_identity contact_other
//!write partners
// Index among boundary particles, and that of the particle it touches through, or NONE.
//!carry index: u32, through: u32

var<private> own: u32;
var<private> found: array<u32, 8>;

fn load(j: u32) -> Neighbour {
    let who = sorted_identity[j];
    // A lane beyond the end of its range may hold fluid. Free bodies are the last solids.
    let free = kind_of(who) == KIND_BOUNDARY && who.y >> 16u >= params.counts.driven;
    let k = who.x - params.counts.first_wall;
    let through = contact_other[select(0u, k, free)].z;
    return Neighbour(sorted_position[j], j, k, select(NONE, through, free));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let mutual = neighbour.through == own;
    // Walks with subgroups visit their last neighbour again, with volume 0.
    let real = mine && neighbour.position.w != 0.0;
    let near = real && mutual && dot(offset, offset) < params.kernel.support_radius_squared;
    // Keep the smallest indices, in order.
    var next = select(NONE, neighbour.index, near);
    for (var k = 0u; k < MOST_TOUCHES; k++) {
        let old = found[k];
        found[k] = min(old, next);
        next = max(old, next);
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let particle = body_particle(element(global_id));
    own = particle.k;
    for (var k = 0u; k < MOST_TOUCHES; k++) { found[k] = NONE; }
    let near = particle.exists && contact_other[select(0u, own, particle.exists)].w != 0u;
    for_each_wall(sorted_position[particle.slot].xyz, near);
    if (particle.exists) { partners[own] = found; }
}
