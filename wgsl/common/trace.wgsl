// Paths along the field of the faces: by Euler's rule, the midpoint rule, or Ralston's rule of third order (HYBRIDS 1.8).
//!include common/control
//!include common/field_at
//!include common/nearest_wall

// Time in s that a part of a step lasts.
fn part_time() -> f32 {
    return control.dt * params.methods.stable_fluids.share;
}

// Place of what is at x after the time dt, before which it was there if dt is negative.
fn moved(x: vec3<f32>, dt: f32) -> vec3<f32> {
    let order = params.methods.stable_fluids.order;
    let first = field_at(x);
    if (order == 1u) { return x + dt * first; }
    let second = field_at(x + 0.5 * dt * first);
    if (order == 2u) { return x + dt * second; }
    return x + dt * (2.0 * first + 3.0 * second + 4.0 * field_at(x + 0.75 * dt * second)) / 9.0;
}

// Place at the start of what is at x at the end. A path out of a solid begins at its surface.
fn traced(x: vec3<f32>) -> vec3<f32> {
    let start = moved(x, -part_time());
    if (params.counts.driven == 0u) { return start; }
    let wall = nearest_wall(start);
    return start - min(wall.distance, 0.0) * wall.normal;
}

// Whether a place is within the domain and a cell or more from all solids.
fn is_free(x: vec3<f32>) -> bool {
    var cell = vec3<i32>(floor((x - params.torus.origin) * params.torus.inverse_cell));
    if (IS_PERIODIC) { cell = select(cell, wrap_cell(cell), params.torus.period > vec3<f32>(0.0)); }
    if (!is_inner(cell)) { return false; }
    return params.counts.driven == 0u || nearest_wall(x).distance > params.torus.cell;
}
