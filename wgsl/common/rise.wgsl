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
