// Changes of velocity and spin of free bodies by the impulses of viscosity/press, by the inverse of viscosity/resist; those of other
// bodies are 0. With them, the velocity and spin with which the rest of the step begins. Sums are in a fixed order, by as many invocations as there are elements for a collider.
//!include common/control
//!include common/bodies
//!include common/colliders
//!include common/body_lane
//!include common/body_sums

//!read colliders bodies model_position viscosity_reaction viscosity_inverse
//!write viscosity_answer viscosity_before

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let width = stage.element_count / params.counts.colliders;
    let own = body_lane(element(global_id), local, width);
    let c = own.solid;
    let collider = colliders[c];
    let rotation = bodies[c].rotation;
    var impulse = vec3<f32>(0.0);
    var twist = vec3<f32>(0.0);
    for (var k = own.lane; k < collider.particle_count; k += width) {
        let at = collider.first_particle + k;
        let f = viscosity_reaction[at].xyz;
        impulse += f;
        twist += cross(rotate(rotation, model_position[at].xyz), f);
    }
    let sums = sums_of(BodySums(impulse, twist, 0u), local, width);
    if (!own.first) { return; }
    var way = vec3<f32>(0.0);
    var turn = vec3<f32>(0.0);
    for (var k = 0u; k < 3u; k++) {
        way += viscosity_inverse[c][k].xyz * sums.force[k] + viscosity_inverse[c][3u + k].xyz * sums.torque[k];
        turn[k] = dot(viscosity_inverse[c][3u + k].xyz, sums.force);
    }
    for (var k = 0u; k < 3u; k++) { turn += viscosity_inverse[c][6u + k].xyz * sums.torque[k]; }
    viscosity_answer[c][0] = vec4<f32>(way, 0.0);
    viscosity_answer[c][1] = vec4<f32>(turn, 0.0);
    viscosity_before[c][0] = vec4<f32>(bodies[c].velocity.xyz + way, 0.0);
    viscosity_before[c][1] = vec4<f32>(bodies[c].angular_velocity.xyz + turn, 0.0);
}
