// u_i = Δt² a_i by the present pressures: d_ii p_i + Σ_j d_ij p_j (Ihmsen et al. 2014, 6).
//!include common/push

@group(1) @binding(4) var<storage, read_write> displacements: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let u = displacement_by_pressure(i);
    if (i < control.particle_count) { displacements[i] = vec4<f32>(select(vec3<f32>(0.0), u, is_fluid(i)), 0.0); }
}
