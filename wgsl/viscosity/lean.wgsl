// Velocities of free bodies' particles with which implicit viscosity begins: with the accelerations by pressure and contacts of the last
// step, as those of the fluid in viscosity/guess.
//!include common/control
//!include common/bodies
//!include common/body_particles

//!read bodies model_position sorted_identity viscosity_body_push
//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let particle = body_particle(element(global_id));
    if (!particle.exists) { return; }
    let number = sorted_identity[particle.slot].y >> 16u;
    let arm = rotate(bodies[number].rotation, model_position[particle.k].xyz);
    let a = viscosity_body_push[number][0].xyz + cross(viscosity_body_push[number][1].xyz, arm);
    sorted_velocity[particle.slot] += vec4<f32>(control.dt * a, 0.0);
}
