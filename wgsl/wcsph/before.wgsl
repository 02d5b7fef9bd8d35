// Densities before the step in cell order, whose gradients wcsph/slope finds.
//!include common/control

//!read order position sorted_identity
//!write density

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    if (kind_of(sorted_identity[i]) != KIND_FLUID) { return; }
    density[i] = position[order[i]].w;
}
