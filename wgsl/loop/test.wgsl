// Ends one iteration: converged when control.residual is within tolerance after the minimum
// number of iterations, or when the maximum is reached.
//!include common/control_write

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let limits = params.loops[stage.loop_index - 1u];
    control.iteration += 1u;
    control.iterations_in_frame += 1u;
    let enough = control.iteration >= limits.min_iterations && control.residual <= limits.tolerance;
    control.converged = select(0u, 1u, enough || control.iteration >= limits.max_iterations);
}
