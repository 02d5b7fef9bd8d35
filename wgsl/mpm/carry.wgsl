// Deformations in cell order.
//!include common/control

//!read order deformation
//!write sorted_deformation

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    sorted_deformation[s] = deformation[order[s]];
}
