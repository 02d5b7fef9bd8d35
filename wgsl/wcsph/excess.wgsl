// s − 1 before the step, s = ρ/ρ0, in the lane of the pressure, which wcsph/pressure computes later: wcsph/rate reads it of
// neighbours with their velocities.
//!include common/control

//!read order position sorted_identity
//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let who = sorted_identity[i];
    if (kind_of(who) != KIND_FLUID) { return; }
    let rest_density = material_of(who).rest_density;
    sorted_velocity[i].w = (position[order[i]].w - rest_density) / rest_density;
}
