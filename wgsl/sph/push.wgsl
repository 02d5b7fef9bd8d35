// Applies the pressures of the warm start (sph/warm) to velocities, v += u/Δt (Ihmsen et al. 2014,
// Algorithm 1).
//!include common/push

//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let change = per_step() * displacement_by_pressure(member);
    if (member.exists) { sorted_velocity[member.slot] += vec4<f32>(change, 0.0); }
}
