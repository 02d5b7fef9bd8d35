// Where what moves with the velocity at a step's end is too far if it falls freely, by Δt/2 · Δt g. It falls freely if the velocity
// changed by that along gravity, to a twentieth; what rests on something, whose pressure acts against the whole step, goes on as it is.
//!include common/worlds

// v·g, by which the change is known at the step's end.
fn along_gravity(v: vec3<f32>) -> f32 {
    return dot(v, gravity());
}

// By the change of v·g in the step.
fn too_far(change: f32) -> vec3<f32> {
    let g = gravity();
    let part = change / max(control.dt * dot(g, g), 1e-30);
    return 0.5 * control.dt * control.dt * clamp(2.0 - 20.0 * abs(part - 1.0), 0.0, 1.0) * g;
}
