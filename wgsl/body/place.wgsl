// Positions and velocities of boundary particles: x = R q + r_g, v = v_g + ω × (R q) (T 16 and 15),
// with their positions q in the solid's own axes.
//!include common/control
//!include common/bodies
//!include common/torus

//!read bodies model_position identity
//!write position velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let who = identity[i];
    if (kind_of(who) != KIND_BOUNDARY) { return; }
    let body = bodies[who.y >> 16u];
    let arm = rotate(body.rotation, model_position[who.x - params.counts.first_wall].xyz);
    position[i] = vec4<f32>(wrap_position(body.position.xyz + arm), position[i].w);
    velocity[i] = vec4<f32>(velocity_at(body, arm), velocity[i].w);
}
