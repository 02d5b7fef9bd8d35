// An iteration of all contacts, each with the velocities of the previous iteration: the impulse
// that gives the target normal velocity, never pulling in total, and friction within Coulomb's
// cone. A body with n contacts lends each of them 1/n of its mass, which makes the sum stable (mass
// splitting, Tonge, Benevolenski, Voroshilov 2012).
//!include common/contact_pairs

//!read colliders bodies model_position contact_other partners body_touches
//!write contacts

// Inverse of the effective mass of a body for a unit impulse along `n` at `arm` from its centre.
fn yielding(c: u32, arm: vec3<f32>, n: vec3<f32>) -> f32 {
    let collider = colliders[c];
    let spin = spin_of(bodies[c].rotation, cross(arm, n), collider.inverse_inertia);
    return f32(body_touches[c]) * (collider.inverse_mass + dot(cross(spin, arm), n));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    // Particles of bodies are the last boundary particles.
    let k = params.counts.walls - stage.element_count + element(global_id);
    if (k >= params.counts.walls) { return; }
    if (!stands(k)) { return; }
    let who = contact_other[k];
    let touch = contacts[k];
    let n = touch.plane.xyz;
    let arm = arms(k, n);
    let relative = velocity_at(bodies[who.x], arm[0]) - velocity_at(bodies[who.y], arm[1]);
    let v_n = dot(relative, n);
    let slip = relative - v_n * n;
    let speed = length(slip);
    let before = dot(touch.total.xyz, n);
    let normal = max(before + (touch.plane.w - v_n) / (yielding(who.x, arm[0], n) + yielding(who.y, arm[1], n)), 0.0);
    var along = touch.total.xyz - before * n;
    if (speed > 0.0) {
        let t = slip / speed;
        along -= slip / (yielding(who.x, arm[0], t) + yielding(who.y, arm[1], t));
    }
    // Coulomb's cone.
    let most = max(colliders[who.x].friction, colliders[who.y].friction) * normal;
    let length_along = length(along);
    if (length_along > most) { along *= most / length_along; }
    let total = normal * n + along;
    contacts[k].change = vec4<f32>(total - touch.total.xyz, touch.change.w);
    contacts[k].total = vec4<f32>(total, f32(who.y + 1u));
}
