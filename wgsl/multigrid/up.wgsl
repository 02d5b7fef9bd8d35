// The second sweep of a level between the first and the coarsest.
//!include common/control
//!include common/second_sweep

//!read odd_coefficient odd_remainder even_u
//!write odd_u

fn coefficients_at(c: u32) -> vec4<f32> {
    return odd_coefficient[c];
}

fn rest_at(c: u32) -> f32 {
    return odd_remainder[c].x;
}

fn coarser_at(c: u32) -> f32 {
    return even_u[c];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let level = level_of(stage.level);
    let number = element(global_id);
    if (number >= level_cells(level)) { return; }
    let c = level.first + number;
    let own = odd_coefficient[c];
    if (own.w == 0.0) { return; }
    odd_u[c] = second_sweep(level, level_of(stage.level + 1u), level_cell_at(level, number), c, own);
}
