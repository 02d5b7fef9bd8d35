// Particles to grid (P2G) of the classic method, before the walk of classic_mpm/gather: what a particle gives to the nodes besides its
// mass, in cell order: Δt V0 τ, and its momentum m v in w.
//!include common/control

//!read order sorted_velocity sorted_identity stress
//!write point_x point_y point_z

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let material = material_of(sorted_identity[s]);
    let momentum = material.mass * sorted_velocity[s].xyz;
    let part = control.dt * material.rest_volume;
    let diagonal = stress[order[s]][0];
    let off = stress[order[s]][1];
    point_x[s] = vec4<f32>(part * vec3<f32>(diagonal.x, off.z, off.y), momentum.x);
    point_y[s] = vec4<f32>(part * vec3<f32>(off.z, diagonal.y, off.x), momentum.y);
    point_z[s] = vec4<f32>(part * vec3<f32>(off.y, off.x, diagonal.z), momentum.z);
}
