// What counts in the equation of implicit viscosity of a liquid alone: weights of 0 and 1 (stress/links).
//!include common/stress

//!read stress_links diffusion_scalars

fn has_bit(c: u32, bit: u32) -> bool {
    return ((stress_links[c].x >> bit) & 1u) == 1u;
}

fn is_free(c: u32, axis: u32) -> bool {
    return has_bit(c, 24u + axis);
}

fn cell_weight(c: u32) -> f32 {
    return select(0.0, 1.0, has_bit(c, 27u));
}

fn edge_weight(c: u32, a: u32, b: u32) -> f32 {
    return select(0.0, 1.0, has_bit(c, 31u - a - b));
}

fn total_of(c: u32, axis: u32) -> f32 {
    return f32((stress_links[c].y >> (8u * axis)) & 255u);
}

// Inverse of the largest diagonal of a cell's faces.
fn inverse_diagonal(c: u32) -> f32 {
    let most = max(max(total_of(c, 0u), total_of(c, 1u)), total_of(c, 2u));
    return 1.0 / (1.0 + rate() * most);
}
