// How held nodes follow free ones (common/held), with the velocities of their walls.
//!include common/held
//!include common/bodies

//!read bodies closing

// Velocity of a wall at a node; where particles have not reached it yet, less by what may still close the gap in this step.
fn wall_velocity(solid: u32, x: vec3<f32>, n: vec3<f32>, gap: f32) -> vec3<f32> {
    let body = bodies[solid];
    let arm = displacement(x, body.position.xyz);
    return body.velocity.xyz + cross(body.angular_velocity.xyz, arm) - gap * n;
}

// Velocity of a held node as a function of a free node's: v = a v_k + b.
struct Tie {
    a: mat3x3<f32>,
    b: vec3<f32>,
}

fn tie(hold: Hold, c: u32, x: vec3<f32>, offset: vec3<f32>) -> Tie {
    var b = vec3<f32>(0.0);
    for (var w = 0u; w < 3u; w++) {
        if (hold.solids[w] == 0.0) { continue; }
        let n = hold.walls[w].xyz;
        let solid = u32(hold.solids[w]) - 1u;
        let u = wall_velocity(solid, x, n, closing[c][w]);
        let f = lever(hold, w, offset);
        if (colliders[solid].response == RESPONSE_STICKY) {
            b = f * b + (1.0 - f) * u;
        } else {
            b += (1.0 - f) * (dot(n, u) - dot(n, b)) * n;
        }
    }
    return Tie(follows(hold, offset), b);
}
