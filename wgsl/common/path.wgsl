// Paths along the field of the faces: by Euler's rule, the midpoint rule, or Ralston's rule of third order (Ralston 1962).
//!include common/field_at

// Way in the time dt of what is at x, backwards if dt is negative.
fn way_from(x: vec3<f32>, dt: f32) -> vec3<f32> {
    let order = params.time.trace;
    let first = field_at(x);
    if (MOST_TRACE == 1u || order == 1u) { return dt * first; }
    let second = field_at(x + 0.5 * dt * first);
    if (MOST_TRACE == 2u || order == 2u) { return dt * second; }
    return dt * (2.0 * first + 3.0 * second + 4.0 * field_at(x + 0.75 * dt * second)) / 9.0;
}

// Place of what is at x after the time dt, before which it was there if dt is negative.
fn moved(x: vec3<f32>, dt: f32) -> vec3<f32> {
    return x + way_from(x, dt);
}
