// Nearest particle of another free body, within h, for each particle of a free body.
//!include common/control
//!include common/neighbours
//!include common/contacts
//!include common/body_particles

//!read sorted_position sorted_identity
//!write contact_other

var<private> own: u32;
// Body, index among boundary particles in two parts, and r² of the nearest particle.
var<private> nearest: vec4<f32>;

fn load(j: u32) -> Candidate {
    let who = sorted_identity[j];
    let k = who.x - params.counts.first_wall;
    let c = who.y >> 16u;
    // A lane beyond the end of its range may hold fluid. Free bodies are the last solids.
    let free = kind_of(who) == KIND_BOUNDARY && c >= params.counts.driven;
    let what = vec4<f32>(f32(c), f32(k & 0xffffu), f32(k >> 16u), select(0.0, 1.0, free));
    return moving(sorted_position[j], what);
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let what = candidate.velocity;
    let r2 = dot(offset, offset);
    let before = what.z < nearest.z || (what.z == nearest.z && what.y < nearest.y);
    let nearer = r2 < nearest.w || (r2 == nearest.w && before);
    if (mine && what.w > 0.0 && u32(what.x) != own && nearer) { nearest = vec4<f32>(what.xyz, r2); }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let particle = body_particle(element(global_id));
    own = sorted_identity[particle.slot].y >> 16u;
    nearest = vec4<f32>(0.0, 0.0, 0.0, params.kernel.support_radius_squared);
    for_each_wall(sorted_position[particle.slot].xyz, particle.exists);
    if (!particle.exists) { return; }
    var other = vec4<u32>(own, NONE, NONE, 0u);
    if (nearest.w < params.kernel.support_radius_squared) {
        other = vec4<u32>(own, u32(nearest.x), u32(nearest.y) + (u32(nearest.z) << 16u), 1u);
    }
    contact_other[particle.k] = other;
}
