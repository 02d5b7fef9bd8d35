// Volume V = m/ρ of each fluid particle in cell order, in the w lane of its position; the colour field (M 15)
// sums it. Boundary particles keep −V_b, for the next step.
//!include common/control

//!read order position sorted_identity
//!write sorted_position

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let who = sorted_identity[s];
    if (kind_of(who) == KIND_FLUID) { sorted_position[s].w = material_of(who).mass / position[order[s]].w; }
}
