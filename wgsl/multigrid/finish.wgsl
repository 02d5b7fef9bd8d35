// The second sweep of the first level: the preconditioned residual u of conjugate gradients.
//!include common/control
//!include common/busy
//!include common/second_sweep

//!read coefficient remainder odd_u
//!publish poisson_u

fn coefficients_at(c: u32) -> vec4<f32> {
    return coefficient[c];
}

fn rest_at(c: u32) -> f32 {
    return remainder[c].x;
}

fn coarser_at(c: u32) -> f32 {
    return odd_u[c];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = coefficient[c];
    if (own.w == 0.0) { return; }
    publish_poisson_u(c, second_sweep(level_of(0u), level_of(1u), cell, c, own));
}
