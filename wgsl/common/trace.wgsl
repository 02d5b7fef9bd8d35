// Paths backwards along the field of the faces, for semi-Lagrangian advection (Stam 1999).
//!include common/control
//!include common/path
//!include common/all_solids
//!include common/nearest_of

// Time in s that a part of a step lasts.
fn part_time() -> f32 {
    return control.dt * params.methods.stable_fluids.share;
}

// A place, or of one in a solid that on its surface.
fn out_of_solids(x: vec3<f32>) -> vec3<f32> {
    if (params.counts.colliders == 0u) { return x; }
    let wall = nearest_wall(x);
    return x - min(wall.distance, 0.0) * wall.normal;
}

// Place at the start of what is at x at the end. A path out of a solid begins at its surface.
fn traced(x: vec3<f32>) -> vec3<f32> {
    return out_of_solids(moved(x, -part_time()));
}

// Whether a place is within the domain and a cell or more from all solids.
fn is_free(x: vec3<f32>) -> bool {
    var cell = vec3<i32>(floor((x - params.grid.origin) * params.grid.inverse_cell));
    if (IS_PERIODIC) { cell = select(cell, wrap_cell(cell), params.grid.period > vec3<f32>(0.0)); }
    if (!is_inner(cell)) { return false; }
    return params.counts.colliders == 0u || nearest_wall(x).distance > params.grid.cell;
}
