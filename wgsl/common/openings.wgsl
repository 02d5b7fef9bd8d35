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
// the middle of the face on.
fn head_behind(opening: OpeningParams, surface: f32, x: vec3<f32>) -> f32 {
    let g = length(params.world.gravity);
    let up = upward();
    if (opening.kind == OPENING_PRESSURE) { return opening.head + g * dot(up, 0.5 * (opening.low + opening.high) - x); }
    return g * max(surface - dot(up, x), 0.0);
}

// Direction against gravity, 0 without gravity.
fn upward() -> vec3<f32> {
    return -params.world.gravity / max(length(params.world.gravity), 1e-30);
}
