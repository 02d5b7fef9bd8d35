// Particles to grid (P2G), before the walk of mls_mpm/gather: what a particle gives to the nodes besides its mass, in cell
// order: the field of momentum around it, its mean m v in w and its gradient
//   m C − (4 Δt/Δx²) V0 τ                                                                                    (Hu et al. 2018)
//!include common/control

//!read order sorted_velocity sorted_identity affine stress
//!write point_x point_y point_z

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let i = order[s];
    let material = material_of(sorted_identity[s]);
    let mass = material.mass;
    let momentum = mass * sorted_velocity[s].xyz;
    let edge = params.grid.cell;
    let part = 4.0 * control.dt / (edge * edge) * material.rest_volume;
    let c = affine[i];
    let diagonal = stress[i][0];
    let off = stress[i][1];
    point_x[s] = vec4<f32>(mass * c[0].xyz - part * vec3<f32>(diagonal.x, off.z, off.y), momentum.x);
    point_y[s] = vec4<f32>(mass * c[1].xyz - part * vec3<f32>(off.z, diagonal.y, off.x), momentum.y);
    point_z[s] = vec4<f32>(mass * c[2].xyz - part * vec3<f32>(off.y, off.x, diagonal.z), momentum.z);
}
