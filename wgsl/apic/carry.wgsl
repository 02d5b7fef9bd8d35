// Gradients and velocities of the particles in cell order, by components, for P2G.
//!include common/control

//!read order affine sorted_velocity
//!write affine_x affine_y affine_z

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let rows = affine[order[s]];
    let v = sorted_velocity[s].xyz;
    affine_x[s] = vec4<f32>(rows[0].xyz, v.x);
    affine_y[s] = vec4<f32>(rows[1].xyz, v.y);
    affine_z[s] = vec4<f32>(rows[2].xyz, v.z);
}
