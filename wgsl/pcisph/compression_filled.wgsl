// pcisph/compression with densities over the full share Ψ of the kernel: s ≤ Ψ in place of s ≤ 1, but at most ε more than
// without; Ψ is that of tension/correct_fill.
//!include common/predicted

//!read tension_fill

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    let member = member_of(i);
    let density = predicted_density(member);
    let fill = tension_fill[member.slot];
    let error = min(density - fill.x, max(density - 1.0, params.methods.tension_free_surface.limit));
    leave_error(member, error, fill.y, i / 64u, local);
}
