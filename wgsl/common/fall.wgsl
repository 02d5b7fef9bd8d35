// Gravity's part in the change of a velocity in a step: 1 in free fall, 0 of what rests. Positions move with the velocity at the
// step's end, by which what falls freely would be Δt/2 · Δt g too far in each step: they go back by as much of it as that part.

// v·g, by which the change is known at the step's end.
fn along_gravity(v: vec3<f32>) -> f32 {
    return dot(v, params.world.gravity);
}

// Where what moves with the velocity at the step's end is too far, by the change of v·g in the step.
fn too_far(change: f32) -> vec3<f32> {
    let whole = control.dt * dot(params.world.gravity, params.world.gravity);
    let part = clamp(change / max(whole, 1e-30), -1.0, 1.0);
    return 0.5 * control.dt * control.dt * part * params.world.gravity;
}
