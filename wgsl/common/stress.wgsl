// The equation of implicit viscosity, u + k (…) = u* at free faces (stress/links). The pass has the function value(c, axis), the
// velocity at a cell's lower face: 0 where it is not free.
//!include common/hat

//!read stress_links diffusion_scalars

// ν Δt/Δx².
fn rate() -> f32 {
    return diffusion_scalars[0][1].x;
}

fn has_bit(c: u32, bit: u32) -> bool {
    return ((stress_links[c].x >> bit) & 1u) == 1u;
}

fn is_free(c: u32, axis: u32) -> bool {
    return has_bit(c, 24u + axis);
}

// What the differences of a face count in total.
fn total_of(c: u32, axis: u32) -> f32 {
    return f32((stress_links[c].y >> (8u * axis)) & 255u);
}

// Inverse of the largest diagonal of a cell's faces.
fn inverse_diagonal(c: u32) -> f32 {
    let most = max(max(total_of(c, 0u), total_of(c, 1u)), total_of(c, 2u));
    return 1.0 / (1.0 + rate() * most);
}

// What k multiplies, at a free face.
fn viscous(cell: vec3<i32>, a: u32) -> f32 {
    let c = cell_number(cell);
    let u = value(c, a);
    let up = cell_number(wrap_next(cell + along(a)));
    let down = cell_number(wrap_next(cell - along(a)));
    var sum = 0.0;
    var count = 0.0;
    if (has_bit(c, 27u)) {
        sum += 2.0 * (u - value(up, a));
        count += 2.0;
    }
    if (has_bit(down, 27u)) {
        sum += 2.0 * (u - value(down, a));
        count += 2.0;
    }
    for (var b = 0u; b < axes(); b++) {
        if (b == a) { continue; }
        let bit = 31u - a - b;
        let right = wrap_next(cell + along(b));
        let r = cell_number(right);
        if (has_bit(c, bit)) {
            sum += u - value(cell_number(wrap_next(cell - along(b))), a) + value(c, b) - value(down, b);
            count += 1.0;
        }
        if (has_bit(r, bit)) {
            sum -= value(r, a) - u + value(r, b) - value(cell_number(wrap_next(right - along(a))), b);
            count += 1.0;
        }
    }
    return sum + (total_of(c, a) - count) * u;
}
