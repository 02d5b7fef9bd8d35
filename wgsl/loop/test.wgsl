// Ends an iteration. The loop ends when the loop's residual is within tolerance after the minimum
// number of iterations, or at the maximum; it is then counted as not converged if the residual is
// larger (or NaN).
//!include common/control_write
//!include common/worlds
//!include shared/blocks

//!read residual: array<f32>
//!write loop_residuals

// A loop that does not converge shortens the following steps (like the time step by iterations of
// SPlisHSPlasH, whose factors are 0.9 and 1.1). Much shorter steps would undo the remaining
// compression too fast.
const SHORTER = 0.85;
const LEAST_SHARE = 0.125;
// Steps at the start of a run that have no pressures to start from, or hardly.
const COLD_STEPS = 10u;

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let number = stage.loop_index - 1u;
    let limits = params.loops[number];
    control.iteration += 1u;
    control.iterations_in_frame += 1u;
    control.loops[number].iterations += 1u;
    control.most_iterations[number] = max(control.most_iterations[number], control.iteration);
    // Of worlds that have one each, that of the worst.
    var worst = residual[0];
    if (has_worlds()) {
        for (var k = 1u; k < min(params.counts.worlds, arrayLength(&residual)); k++) { worst = max(worst, residual[k]); }
    }
    control.residual = worst;
    loop_residuals[number * RESIDUALS] = f32(control.iteration);
    if (control.iteration < RESIDUALS) { loop_residuals[number * RESIDUALS + control.iteration] = worst; }
    let good = control.residual <= limits.tolerance;
    let last = control.iteration >= limits.max_iterations;
    let share = select(1.0, limits.cold, control.step < COLD_STEPS);
    // In a step without time nothing falls.
    let fall = select(1e30, limits.fall * control.dt * control.dt, control.dt > 0.0);
    let enough = control.residual <= min(share * limits.tolerance, fall);
    if (last || (enough && control.iteration >= limits.min_iterations)) {
        control.converged = 1u;
        control.loop_groups = vec3<u32>(0u);
        if (!good && limits.shortens_step == 1u) { control.step_share = max(SHORTER * control.step_share, LEAST_SHARE); }
        control.loops[number].exhausted += select(1u, 0u, good);
        control.loops[number].residual_sum += control.residual;
        control.loops[number].residual_max = max(control.loops[number].residual_max, control.residual);
    } else {
        control.converged = 0u;
    }
}
