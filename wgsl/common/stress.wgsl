// The equation of implicit viscosity, m u + k (…) = m u* at free faces (stress/links), with weights of cells and edges. The pass has the
// functions value(c, axis), the velocity at a cell's lower face, 0 where it is not free; cell_weight(c); edge_weight(c, a, b) of the lower
// edge in the plane of two axes; and total_of(c, axis), what the differences of a face count in total.
//!include common/hat

//!read diffusion_scalars

// k = ν Δt/Δx².
fn rate() -> f32 {
    return diffusion_scalars[0][1].x;
}

// What k multiplies, at a free face.
fn viscous(cell: vec3<i32>, a: u32) -> f32 {
    let c = cell_number(cell);
    let u = value(c, a);
    let up = cell_number(wrap_next(cell + along(a)));
    let down = cell_number(wrap_next(cell - along(a)));
    let within = 2.0 * vec2<f32>(cell_weight(c), cell_weight(down));
    var sum = within.x * (u - value(up, a)) + within.y * (u - value(down, a));
    var count = within.x + within.y;
    for (var b = 0u; b < axes(); b++) {
        if (b == a) { continue; }
        let right = wrap_next(cell + along(b));
        let r = cell_number(right);
        let sides = vec2<f32>(edge_weight(c, a, b), edge_weight(r, a, b));
        sum += sides.x * (u - value(cell_number(wrap_next(cell - along(b))), a) + value(c, b) - value(down, b));
        sum -= sides.y * (value(r, a) - u + value(r, b) - value(cell_number(wrap_next(right - along(a))), b));
        count += sides.x + sides.y;
    }
    return sum + (total_of(c, a) - count) * u;
}
