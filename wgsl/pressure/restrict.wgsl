// Residual of the correction on coarse cells: Σ κ V e over each cell's fluid where pressure may act, κ that of the start, e
// after the last step.
//!include common/control
//!include common/pressure_step
//!include common/pressure_cell

//!read pressure_start pressure_state pressure_scalars sorted_position
//!write odd_remainder

var<private> alpha: f32;
var<private> sum: f32;

fn add(s: u32) {
    let next = after_step(pressure_state[s], alpha);
    let error = select(0.0, next.error, is_pressed(next.kappa, next.error));
    sum += pressure_start[s] * relative_volume(sorted_position[s].w) * error;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    alpha = pressure_scalars[0].x;
    sum = 0.0;
    for_each_in_cell(c);
    odd_remainder[c] = vec2<f32>(sum, 0.0);
}
