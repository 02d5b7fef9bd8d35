// Predicted compression, and the pressure that corrects it (Solenthaler, Pajarola 2009, 5–8).
//!include common/predicted

//!read sorted_identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    let member = member_of(i);
    let density = predicted_density(member);
    leave_error(member, density - 1.0, material_of(sorted_identity[member.slot]).rest_density, i / 64u, local);
}
