// Gravity on free bodies, v += Δt g (of those on a hinge the centre is held), the force and torque of the program, v += Δt F/m and L += Δt τ, and the pull of the
// mouse on one of them, a critically damped spring:
//   F = m ω (ω (goal − x) − 2 v), L += Δt (x − r_g) × F
// with position x and velocity v of the held point.
//!include common/control
//!include common/colliders
//!include common/parked
//!include common/worlds

//!read colliders body_push
//!write bodies

// Upper bound of ω Δt: damping takes 2 ω Δt of a point's speed in a step, and four times that at
// the ends of a rod, where a quarter of the mass resists the pull.
const STIFFEST = 0.1;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= params.counts.colliders) { return; }
    let collider = colliders[c];
    if (collider.inverse_mass == 0.0) { return; }
    let body = bodies[c];
    if (is_parked(body)) { return; }
    let force = body_push[c][0].xyz;
    let torque = body_push[c][1].xyz;
    let free = collider.hinged_mass == 0.0;
    enter_solid(c);
    let pull = select(vec3<f32>(0.0), gravity(), free) + collider.inverse_mass * force;
    var velocity = body.velocity.xyz + control.dt * pull;
    var momentum = body.angular_momentum.xyz + control.dt * torque;
    if (params.pull.body == c && control.dt > 0.0) {
        let arm = rotate(body.rotation, params.pull.arm);
        let way = displacement(params.pull.goal, body.position.xyz + arm);
        let spring = way * min(1.0, params.pull.reach / max(length(way), 1e-20));
        let rate = min(params.pull.rate, STIFFEST / control.dt);
        let push = control.dt * rate * (rate * spring - 2.0 * velocity_at(body, arm));
        velocity += select(vec3<f32>(0.0), push, free);
        momentum += cross(arm, push) * select(collider.hinged_mass, 1.0 / collider.inverse_mass, free);
    }
    bodies[c].velocity = vec4<f32>(velocity, 0.0);
    if (any(momentum != body.angular_momentum.xyz)) {
        bodies[c].angular_momentum = vec4<f32>(momentum, 0.0);
        bodies[c].angular_velocity = vec4<f32>(spin_of(body.rotation, momentum, collider.inverse_inertia), 0.0);
    }
}
