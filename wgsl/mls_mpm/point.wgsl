// What a particle gives to the nodes, in cell order: its place and mass, and the field of momentum around it, its mean
// m v in w and its gradient (HYBRIDS 1.9)
//   m C − (4 Δt/Δx²) V0 τ
//!include common/control

//!read order sorted_position sorted_velocity sorted_identity affine stress
//!write mpm_point

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let i = order[s];
    let x = sorted_position[s];
    let mass = material_of(sorted_identity[s]).mass;
    let momentum = mass * sorted_velocity[s].xyz;
    let edge = params.torus.cell;
    // x.w is the rest volume.
    let part = 4.0 * control.dt / (edge * edge) * x.w;
    let c = affine[i];
    let diagonal = stress[i][0];
    let off = stress[i][1];
    mpm_point[s] = array<vec4<f32>, 4>(
        vec4<f32>(x.xyz, mass),
        vec4<f32>(mass * c[0].xyz - part * vec3<f32>(diagonal.x, off.z, off.y), momentum.x),
        vec4<f32>(mass * c[1].xyz - part * vec3<f32>(off.z, diagonal.y, off.x), momentum.y),
        vec4<f32>(mass * c[2].xyz - part * vec3<f32>(off.y, off.x, diagonal.z), momentum.z),
    );
}
