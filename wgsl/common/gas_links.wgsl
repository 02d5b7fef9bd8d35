// What counts in the equation of implicit viscosity of liquid and gas (gas/links).
//!include common/stress

//!read gas_links

fn is_free(c: u32, axis: u32) -> bool {
    return ((u32(gas_links[c][1].w) >> axis) & 1u) == 1u;
}

fn cell_weight(c: u32) -> f32 {
    return gas_links[c][0].x;
}

fn edge_weight(c: u32, a: u32, b: u32) -> f32 {
    return gas_links[c][0][a + b];
}

fn total_of(c: u32, axis: u32) -> f32 {
    return gas_links[c][1][axis];
}

// Density of a cell's lower face relative to the liquid's, m.
fn mass_of(c: u32, axis: u32) -> f32 {
    return gas_links[c][2][axis];
}

// Inverse of the diagonal of a free face.
fn inverse_diagonal(c: u32, axis: u32) -> f32 {
    return 1.0 / (mass_of(c, axis) + rate() * total_of(c, axis));
}
