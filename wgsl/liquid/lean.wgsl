// Impulses of the pressure on solids whose motion is given, P the solution of its equation. Walls feel it where they
// are, P J + Δx K ∂P with the lever's K, the gradient ∂P that of the open faces of the cell: with the volumes of liquid around
// faces it is what the gradient gives to the liquid. The moment has that pressure's mean, along J. (Bodies have shares of faces that
// are exact for water at rest.)
//!include common/levers
//!include common/listed_cells
//!include common/rise

// Difference of the pressure between the centres of a cell and of the next ones along an axis: mean over its open faces, and of
// water at rest if it has none.
fn rise_along(cell: vec3<i32>, axis: u32) -> f32 {
    let below = wrap_next(cell - along(axis));
    let above = wrap_next(cell + along(axis));
    let own = open_share(cell_number(cell), axis);
    let other = open_share(cell_number(above), axis);
    if (own + other == 0.0) { return params.grid.cell * control.dt * gravity()[axis]; }
    var sum = 0.0;
    if (own > 0.0) { sum += own * rise(cell, below, 1.0); }
    if (other > 0.0) { sum += other * rise(above, cell, 1.0); }
    return sum / (own + other);
}

fn impulse_of(c: u32, at: u32) -> vec3<f32> {
    let first = 2u * (at / 2u);
    let push = levers[c][first].xyz;
    let beyond = levers[c][6u + first / 2u].xyz;
    var more = vec3<f32>(0.0);
    if (any(beyond != vec3<f32>(0.0))) {
        let cell = cell_at(c);
        for (var axis = 0u; axis < axes(); axis++) { more[axis] = beyond[axis] * rise_along(cell, axis); }
    }
    if (at == first) { return solution[c].x * push + more; }
    return (solution[c].x + dot(more, push) / max(dot(push, push), 1e-12)) * levers[c][at].xyz;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    sum_for_solids(element(global_id) / 64u, local, mass_of_face());
}
