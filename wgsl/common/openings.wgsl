// Open boundaries: rectangles across an axis through which fluid comes and goes.
//!include common/params
//!include shared/opening_params
//!include shared/openings

//!read openings

// Direction into the fluid.
fn way_in(opening: OpeningParams) -> vec3<f32> {
    return select(vec3<f32>(0.0), vec3<f32>(opening.inward), vec3<u32>(0u, 1u, 2u) == vec3<u32>(opening.axis));
}

// Distance behind the face, negative in front of it.
fn behind(opening: OpeningParams, x: vec3<f32>) -> f32 {
    return dot(opening.low - x, way_in(opening));
}

// Whether a place is in front of the face or behind it, up to `slack` beyond its edges.
fn is_within(opening: OpeningParams, x: vec3<f32>, slack: f32) -> bool {
    let inside = (x >= opening.low - slack) & (x <= opening.high + slack);
    return all(inside | (vec3<u32>(0u, 1u, 2u) == vec3<u32>(opening.axis)));
}

// Velocity at a place over its mean: in parabolas 6 s (1 − s), s from 0 to 1 along each side.
fn profile(opening: OpeningParams, x: vec3<f32>) -> f32 {
    if (opening.parabolic == 0u) { return 1.0; }
    var product = 1.0;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        if (axis == opening.axis) { continue; }
        let s = clamp((x[axis] - opening.low[axis]) / (opening.high[axis] - opening.low[axis]), 0.0, 1.0);
        product *= 6.0 * s * (1.0 - s);
    }
    return product;
}

// Pressure over density behind an open boundary at a place, in m²/s²: hydrostatic below the surface there, or from a pressure at
// the middle of the face on. `flow` is its element of opening_flow, `outward` the velocity with which fluid leaves there.
fn head_behind(opening: OpeningParams, flow: vec2<f32>, x: vec3<f32>, outward: f32) -> f32 {
    let g = length(params.world.gravity);
    let up = upward();
    if (opening.kind == OPENING_PRESSURE) { return opening.head + g * dot(up, 0.5 * (opening.low + opening.high) - x); }
    let height = dot(up, x) - flow.y;
    var head = -g * height;
    if (opening.celerity > 0.0) {
        // Waves that leave have the pressure ρ c u, waves that come in −ρ c u and g times their rise (Flather 1976; at each height
        // for linear waves). On a grid, where steps may be as long, a velocity of the last one is not turned round in one.
        let most = select(1e30, 0.5 * params.grid.cell / max(control.dt, 1e-30), params.grid.cell > 0.0);
        let c = min(opening.celerity, most);
        let z = opening.wave_number * min(height, 0.0);
        let kd = opening.wave_number * opening.water;
        let share = (exp(z) + exp(-z - 2.0 * kd)) / (1.0 + exp(-2.0 * kd));
        head += 2.0 * g * flow.x * share + c * (outward - opening.steady);
    }
    return max(head, 0.0);
}

// Direction against gravity, 0 without gravity.
fn upward() -> vec3<f32> {
    return -params.world.gravity / max(length(params.world.gravity), 1e-30);
}
