// Place at the step's start of what is at x at its end, along the field of the faces: by Euler's rule, the midpoint
// rule, or Ralston's rule of third order (HYBRIDS 1.8). A path out of a solid begins at its surface.
//!include common/control
//!include common/field_at
//!include common/nearest_wall

fn traced(x: vec3<f32>) -> vec3<f32> {
    let dt = control.dt * params.methods.stable_fluids.share;
    let order = params.methods.stable_fluids.order;
    let first = field_at(x);
    var mean = first;
    if (order == 2u) { mean = field_at(x - 0.5 * dt * first); }
    if (order == 3u) {
        let second = field_at(x - 0.5 * dt * first);
        mean = (2.0 * first + 3.0 * second + 4.0 * field_at(x - 0.75 * dt * second)) / 9.0;
    }
    let start = x - dt * mean;
    if (params.counts.driven == 0u) { return start; }
    let wall = nearest_wall(start);
    return start - min(wall.distance, 0.0) * wall.normal;
}

// Cell of the value at `corner` of the 4ᵈ around a point, each from −1 to 2; beyond the box that of its last cells.
fn value_cell(base: vec3<i32>, corner: vec3<i32>) -> u32 {
    let cell = base + corner;
    let last = vec3<i32>(params.torus.size) - 1;
    if (!IS_PERIODIC) { return cell_number(clamp(cell, vec3<i32>(0), last)); }
    return cell_number(select(clamp(cell, vec3<i32>(0), last), wrap_cell(cell), params.torus.period > vec3<f32>(0.0)));
}

// Weights of the values at −1, 0, 1, 2 at a place t between 0 and 1 (Catmull, Rom 1974).
fn cubic_weights(t: f32) -> vec4<f32> {
    let u = t * t;
    let v = u * t;
    return 0.5 * vec4<f32>(-t + 2.0 * u - v, 2.0 - 5.0 * u + 3.0 * v, t + 4.0 * u - 3.0 * v, v - u);
}
