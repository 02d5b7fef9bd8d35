// The end of an iteration. The loop ends when its residual is within tolerance after the minimum number of iterations, or at the
// maximum; it is then counted as not converged if the residual is larger (or NaN). While it goes on only its own stages are active
// (resume_lo .. resume_hi), and after it those behind it: of recorded iterations that are too many, none is done; where they are too
// few, the next recording continues, so the results do not depend on the number recorded.
//!include common/control_write
//!include shared/blocks

//!write loop_residuals

// A loop that does not converge shortens the following steps (like the time step by iterations of
// SPlisHSPlasH, whose factors are 0.9 and 1.1). Much shorter steps would undo the remaining
// compression too fast.
const SHORTER = 0.85;
const LEAST_SHARE = 0.125;
// Steps at the start of a run that have no pressures to start from, or hardly.
const COLD_STEPS = 10u;

// Call it once, in the loop's last stage.
fn end_iteration(residual: f32) {
    let number = stage.loop_index - 1u;
    let limits = params.loops[number];
    let iteration = control.iteration + 1u;
    control.iterations_in_frame += 1u;
    control.loops[number].iterations += 1u;
    control.most_iterations[number] = max(control.most_iterations[number], iteration);
    control.residual = residual;
    loop_residuals[number * RESIDUALS] = f32(iteration);
    if (iteration < RESIDUALS) { loop_residuals[number * RESIDUALS + iteration] = residual; }
    let good = residual <= limits.tolerance;
    let last = iteration >= limits.max_iterations;
    let share = select(1.0, limits.cold, control.step < COLD_STEPS);
    // In a step without time nothing falls.
    let fall = select(1e30, limits.fall * control.dt * control.dt, control.dt > 0.0);
    let enough = residual <= min(share * limits.tolerance, fall);
    let ends = last || (enough && iteration >= limits.min_iterations);
    control.iteration = select(iteration, 0u, ends);
    control.resume_lo = select(stage.loop_first, stage.number + 1u, ends);
    control.resume_hi = select(stage.number + 1u, WINDOW_OPEN, ends);
    if (ends) {
        control.loop_groups[stage.loop_place] = vec3<u32>(0u);
        control.loop_groups[1u - stage.loop_place] = control.cluster_groups;
        if (!good && limits.shortens_step == 1u) { control.step_share = max(SHORTER * control.step_share, LEAST_SHARE); }
        control.loops[number].exhausted += select(1u, 0u, good);
        control.loops[number].residual_sum += residual;
        control.loops[number].residual_max = max(control.loops[number].residual_max, residual);
    }
}
