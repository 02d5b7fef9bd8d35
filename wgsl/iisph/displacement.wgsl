// u_i = Δt² a_i by the present pressures: d_ii p_i + Σ_j d_ij p_j (Ihmsen et al. 2014, 6).
//!include common/push

@group(1) @binding(4) var<storage, read_write> displacements: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let member = member_of(element(global_id));
    let u = displacement_by_pressure(member);
    if (member.exists) { displacements[member.slot] = vec4<f32>(u, 0.0); }
}
