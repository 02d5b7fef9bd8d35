// What the nodes of a cell give to rigid bodies around it, and to walls whose forces are measured: impulse in N s with the number of the solid in w, from 1 on, and
// angular impulse in N m s about the body's centre, of up to three bodies.
//!include shared/scene

var<private> pushes: array<vec4<f32>, 6>;

// Impulse of a node at x on a solid; only bodies keep it, and walls whose forces are measured.
fn add_push(solid: u32, x: vec3<f32>, impulse: vec3<f32>) {
    if (!HAS_PUSHES || colliders[solid].is_body == 0u) { return; }
    let number = f32(solid + 1u);
    for (var k = 0u; k < 6u; k += 2u) {
        let who = pushes[k].w;
        if (who != 0.0 && who != number) { continue; }
        let twist = cross(displacement(x, bodies[solid].position.xyz), impulse);
        pushes[k] = vec4<f32>(pushes[k].xyz + impulse, number);
        pushes[k + 1u] += vec4<f32>(twist, 0.0);
        return;
    }
}

// Without such solids the array has no room.
fn keep_pushes(c: u32) {
    if (HAS_PUSHES && c < arrayLength(&push)) { push[c] = pushes; }
}
