// Volume V = m/ρ of each fluid particle in cell order, in the w lane of its position; the colour field (M 15)
// sums it. For the surface of one material it is less than 0 for the others. Boundary particles keep −V_b, for the next
// step.
//!include common/control
//!include shared/surface_control

//!read order position sorted_identity surface_control
//!write sorted_position

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let who = sorted_identity[s];
    if (kind_of(who) != KIND_FLUID) { return; }
    let volume = material_of(who).mass / position[order[s]].w;
    let only = surface_control[0].material;
    let is_other = only != 0u && ((who.y >> 8u) & 255u) + 1u != only;
    sorted_position[s].w = select(volume, -volume, is_other);
}
