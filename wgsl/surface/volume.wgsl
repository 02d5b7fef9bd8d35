// Volume V = m/ρ of each sorted particle, in the w lane of its position; the colour field (M 15)
// sums it. It is 0 for particles other than fluid.
//!include common/control

//!read order position sorted_identity
//!write sorted_position

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (s >= control.particle_count) { return; }
    let who = sorted_identity[s];
    let volume = material_of(who).mass / position[order[s]].w;
    sorted_position[s].w = select(0.0, volume, kind_of(who) == KIND_FLUID);
}
