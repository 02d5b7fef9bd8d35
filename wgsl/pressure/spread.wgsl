// The second sweep of the coarse cells, and what it adds to z: κ of the start times the cell's factor.
//!include common/control
//!include common/second_sweep
//!include common/pressure_cell

//!read odd_coefficient odd_remainder even_u pressure_start
//!write pressure_coarse

var<private> found: f32;

fn coefficients_at(c: u32) -> vec4<f32> {
    return odd_coefficient[c];
}

fn rest_at(c: u32) -> f32 {
    return odd_remainder[c].x;
}

fn coarser_at(c: u32) -> f32 {
    return even_u[c];
}

fn add(s: u32) {
    pressure_coarse[s] = found * pressure_start[s];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let level = level_of(1u);
    let own = odd_coefficient[c];
    found = 0.0;
    if (own.w > 0.0) { found = second_sweep(level, level_of(2u), level_cell_at(level, c), c, own); }
    for_each_in_cell(c);
}
