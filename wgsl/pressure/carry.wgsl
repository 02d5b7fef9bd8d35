// Displacements of bodies' particles by the answers of their bodies, beside those of fluid by pressure/push.
//!include common/control
//!include common/bodies
//!include common/body_particles

//!read bodies model_position sorted_identity pressure_answer
//!publish pressure_move

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let particle = body_particle(element(global_id));
    if (!particle.exists) { return; }
    let number = sorted_identity[particle.slot].y >> 16u;
    let arm = rotate(bodies[number].rotation, model_position[particle.k].xyz);
    let answer = pressure_answer[number];
    publish_pressure_move(2u * particle.slot, vec4<f32>(answer[0].xyz + cross(answer[1].xyz, arm), 0.0));
    publish_pressure_move(2u * particle.slot + 1u, vec4<f32>(answer[2].xyz + cross(answer[3].xyz, arm), 0.0));
}
