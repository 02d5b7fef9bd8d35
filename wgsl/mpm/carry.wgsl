// Particles' places with masses, and deformation gradients, in cell order, for P2G.
//!include common/control

//!read order deformation sorted_position sorted_identity
//!write sorted_deformation point_place

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    sorted_deformation[s] = deformation[order[s]];
    point_place[s] = vec4<f32>(sorted_position[s].xyz, material_of(sorted_identity[s]).mass);
}
