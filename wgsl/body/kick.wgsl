// Sums the forces on a body's particles, in a fixed order by as many invocations as there are
// elements for a collider, and applies them: v += Δt F/m, L += Δt Σ (R q) × F. On bodies that do
// not move freely the forces are only measured.
//!include common/control
//!include common/colliders
//!include common/body_lane
//!include common/body_sums

//!read colliders model_position reaction
//!write bodies body_force

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let width = stage.element_count / params.counts.colliders;
    let own = body_lane(element(global_id), local, width);
    let c = own.solid;
    let collider = colliders[c];
    let body = bodies[c];
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    for (var k = own.lane; k < collider.particle_count; k += width) {
        let at = collider.first_particle + k;
        let f = reaction[at].xyz;
        force += f;
        torque += cross(rotate(body.rotation, model_position[at].xyz), f);
    }
    let sums = sums_of(BodySums(force, torque, 0u), local, width);
    if (!own.first || collider.particle_count == 0u) { return; }
    body_force[c][0] += vec4<f32>(sums.force, 0.0);
    body_force[c][1] += vec4<f32>(sums.torque, 0.0);
    if (collider.inverse_mass > 0.0) {
        let momentum = body.angular_momentum.xyz + control.dt * sums.torque;
        let velocity = body.velocity.xyz + control.dt * collider.inverse_mass * sums.force;
        bodies[c].velocity = vec4<f32>(velocity, 0.0);
        bodies[c].angular_momentum = vec4<f32>(momentum, 0.0);
        bodies[c].angular_velocity = vec4<f32>(spin_of(body.rotation, momentum, collider.inverse_inertia), 0.0);
    }
}
