// Number of fluid particles with another one nearer than half a particle spacing, after a sort of all positions. Sums of whole
// numbers do not depend on their order.
//!include common/control
//!include common/neighbours
//!include common/worlds

//!gather sorted_position
//!read sorted_identity
//!atomic close_count

var<private> slot_i: u32;
var<private> found: bool;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // A spacing is two radii. Lanes without a neighbour have volume 0.
    let near = dot(offset, offset) < params.world.particle_radius * params.world.particle_radius;
    found = found || (mine && near && neighbour.position.w > 0.0 && neighbour.slot != slot_i);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    slot_i = element(global_id);
    found = false;
    let who = sorted_identity[min(slot_i, params.counts.capacity - 1u)];
    let counts = has_particle(slot_i) && kind_of(who) == KIND_FLUID;
    for_each_candidate(first_cell(who), sorted_position_at(slot_i).xyz, counts);
    if (counts && found) { atomicAdd(&close_count[0], 1u); }
}
