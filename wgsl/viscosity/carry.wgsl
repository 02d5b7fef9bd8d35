// Velocities of bodies' particles in implicit viscosity: what they have without it, and the answers of their bodies. Solids that
// do not move freely keep theirs.
//!include common/control
//!include common/bodies
//!include common/body_particles

//!read bodies model_position sorted_identity viscosity_answer sorted_velocity
//!read own: array<vec4<f32>>
//!publish viscosity_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let particle = body_particle(element(global_id));
    if (!particle.exists) { return; }
    let number = sorted_identity[particle.slot].y >> 16u;
    let arm = rotate(bodies[number].rotation, model_position[particle.k].xyz);
    let answer = viscosity_answer[number];
    let v = own[particle.slot].xyz + answer[0].xyz + cross(answer[1].xyz, arm);
    // The w lane is the friction.
    publish_viscosity_u(particle.slot, vec4<f32>(v, sorted_velocity[particle.slot].w));
}
