// Births (Ihmsen et al. 2012, 10, 11), evenly in the cylinder of a fluid particle's radius r_V that it has moved along in the update:
//   x + r (cos θ e₁ + sin θ e₂) + s v̂,   r = r_V √X₁, θ = 2π X₂, s = X₃ |v| Δt
// at its velocity, and away from the axis at a share of that that grows with r. In 2-D r goes from −r_V to r_V along e₁.
//!include common/control
//!include common/torus
//!include common/series
//!include common/foam

//!read foam_births_start foam_state sorted_position sorted_velocity sorted_identity
//!write foam_position foam_velocity foam_identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let begin = foam_births_start[i];
    let end = foam_births_start[i + 1u];
    if (begin == end) { return; }
    let numbers = params.methods.foam;
    let first = foam_state[FOAM_FIRST];
    let dt = bitcast<f32>(foam_state[FOAM_STEP]);
    let x = sorted_position[i].xyz;
    let v = sorted_velocity[i].xyz;
    let id = sorted_identity[i].x;
    let speed = length(v);
    let along = select(vec3<f32>(0.0, 1.0, 0.0), v / speed, speed > 0.0);
    // An orthonormal basis without a branch on the direction (Duff et al. 2017).
    let sign = select(1.0, -1.0, along.z < 0.0);
    let a = -1.0 / (sign + along.z);
    let b = along.x * along.y * a;
    let e1 = vec3<f32>(1.0 + sign * along.x * along.x * a, sign * b, -sign * along.x);
    let e2 = vec3<f32>(b, sign + along.y * along.y * a, -along.y);
    for (var k = 0u; begin + k < end; k++) {
        let slot = first + begin + k;
        if (slot >= foam_state[FOAM_END]) { return; }
        let lane = 4u * k + 1u;
        // sin and cos of half of the angle from −π to π.
        let half = 3.14159265 * (random(id, control.step, lane + 1u) - 0.5);
        let series = sinc_and_cos(half);
        let sine = half * series.x;
        let X = random(id, control.step, lane);
        var away = sqrt(X) * ((1.0 - 2.0 * sine * sine) * e1 + 2.0 * sine * series.y * e2);
        if (params.world.dimensions == 2u) { away = (2.0 * X - 1.0) * vec3<f32>(-along.y, along.x, 0.0); }
        let way = random(id, control.step, lane + 2u) * dt * v;
        let life = numbers.lifetime * (0.5 + random(id, control.step, lane + 3u));
        foam_position[slot] = vec4<f32>(wrap_position(x + numbers.radius * away + way), life);
        foam_velocity[slot] = vec4<f32>(v + numbers.fan * speed * away, 0.0);
        foam_identity[slot] = vec2<u32>(foam_state[FOAM_BORN] + begin + k, FOAM_FOAM);
    }
}
