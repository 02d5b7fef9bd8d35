// Impulses on bodies.
//!include common/colliders

//!read colliders
//!write bodies

// Velocity of a body's point for a unit impulse there, both along `n`.
fn yielding(c: u32, arm: vec3<f32>, n: vec3<f32>) -> f32 {
    let collider = colliders[c];
    let spin = spin_of(bodies[c].rotation, cross(arm, n), collider.inverse_inertia);
    return collider.inverse_mass + dot(cross(spin, arm), n);
}

fn give(c: u32, arm: vec3<f32>, impulse: vec3<f32>) {
    strike(c, impulse, cross(arm, impulse));
}

// An impulse at a body's centre, and an angular impulse.
fn strike(c: u32, impulse: vec3<f32>, twist: vec3<f32>) {
    let collider = colliders[c];
    if (collider.inverse_mass == 0.0) { return; }
    let momentum = bodies[c].angular_momentum.xyz + twist;
    let velocity = bodies[c].velocity.xyz + collider.inverse_mass * impulse;
    bodies[c].velocity = vec4<f32>(velocity, 0.0);
    bodies[c].angular_momentum = vec4<f32>(momentum, 0.0);
    bodies[c].angular_velocity = vec4<f32>(spin_of(bodies[c].rotation, momentum, collider.inverse_inertia), 0.0);
}
