// Rise of the solution of the equation of pressure across a cell's lower face, to 0 in air at θΔx (Gibou et al. 2002); to
// `beside` times the solution beyond open boundaries, which is 0 in other air.
//!include common/poisson

//!read coefficient solution

// Between a cell and the one below its lower face, of which at least one has liquid.
fn rise(cell: vec3<i32>, below: vec3<i32>, beside: f32) -> f32 {
    let c = cell_number(cell);
    let b = cell_number(below);
    if (coefficient[b].w == 0.0) { return (solution[c].x - beside * solution[b].x) / surface_part(c, below); }
    if (coefficient[c].w == 0.0) { return (beside * solution[c].x - solution[b].x) / surface_part(b, cell); }
    return solution[c].x - solution[b].x;
}

// Rise of the last step's solution across a cell's lower face where surface tension acts, at the surface as across the opposite face of the
// cell with liquid. The jump there is that of another surface than this step's. 0 beside cells that had no liquid.
fn last_rise(cell: vec3<i32>, axis: u32) -> f32 {
    var upper = cell;
    if (coefficient[cell_number(cell)].w == 0.0) { upper = wrap_next(cell - along(axis)); }
    else if (coefficient[cell_number(wrap_next(cell - along(axis)))].w == 0.0) { upper = wrap_next(cell + along(axis)); }
    let c = cell_number(upper);
    let b = cell_number(wrap_next(upper - along(axis)));
    let is_known = solution[c].x != 0.0 && solution[b].x != 0.0 && is_open(c, axis);
    return select(0.0, solution[c].x - solution[b].x, is_known);
}

// The rise that a stage takes: of this step, or at level 1 of the last.
fn rise_of_stage(cell: vec3<i32>, below: vec3<i32>, axis: u32) -> f32 {
    if (stage.level == 1u) { return last_rise(cell, axis); }
    return rise(cell, below, 1.0);
}
