// Velocities of boundary particles in cell order, after forces on their bodies: v = v_g + ω × (R q)
// (T 15). Solids that do not move freely keep theirs.
//!include common/control
//!include common/bodies
//!include common/body_particles

//!read bodies model_position sorted_identity
//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let particle = body_particle(element(global_id));
    if (!particle.exists) { return; }
    let number = sorted_identity[particle.slot].y >> 16u;
    if (number < params.counts.driven) { return; }
    let body = bodies[number];
    let arm = rotate(body.rotation, model_position[particle.k].xyz);
    sorted_velocity[particle.slot] = vec4<f32>(velocity_at(body, arm), sorted_velocity[particle.slot].w);
}
