//! Loops until convergence, and the window of stages in which a stalled loop continues
//! (`wgsl/loop/`).

use meniscus_methods::passes::RESIDUALS;
use meniscus_model::control::WINDOW_OPEN;

use crate::World;

/// Factor on the step's limits after a loop that does not converge, and its minimum.
const SHORTER: f32 = 0.85;
const LEAST_SHARE: f32 = 0.125;

/// Steps at the start without pressures to start from.
const COLD_STEPS: u32 = 10;

/// Opens a loop.
pub(crate) fn begin(world: &mut World) {
    world.control.iteration = 0;
    world.control.converged = 0;
    world.control.loop_groups = world.control.cluster_groups;
}

/// Ends an iteration, and checks for convergence.
pub(crate) fn test(world: &mut World) {
    let number = world.stage.loop_index as usize - 1;
    let limits = &world.params.loops[number];
    let control = &mut world.control;
    control.residual = world.residual[0] as f32;
    control.iteration += 1;
    let kept = &mut world.loop_residuals[number * RESIDUALS as usize..][..RESIDUALS as usize];
    kept[0] = f64::from(control.iteration);
    if let Some(kept) = kept.get_mut(control.iteration as usize) {
        *kept = world.residual[0];
    }
    control.iterations_in_frame += 1;
    let enough = control.iteration >= limits.min_iterations;
    let good = control.residual <= limits.tolerance;
    let exhausted = control.iteration >= limits.max_iterations;
    let share = if control.step < COLD_STEPS { limits.cold } else { 1.0 };
    let fall = if control.dt > 0.0 { limits.fall * control.dt * control.dt } else { 1e30 };
    let small = control.residual <= (share * limits.tolerance).min(fall);
    control.converged = u32::from(enough && small || exhausted);
    let report = &mut control.loops[number];
    report.iterations += 1;
    let most = &mut control.most_iterations[number];
    *most = control.iteration.max(*most);
    if control.converged == 1 {
        control.loop_groups = Default::default();
        if !good && limits.shortens_step == 1 {
            control.step_share = (SHORTER * control.step_share).max(LEAST_SHARE);
        }
        report.exhausted += u32::from(!good);
        report.residual_sum += control.residual;
        report.residual_max = report.residual_max.max(control.residual);
    }
}

/// Ends the recorded iterations: opens the window if the loop has converged, else restricts it to
/// this loop's stages until it has.
pub(crate) fn end(world: &mut World) {
    let control = &mut world.control;
    (control.resume_lo, control.resume_hi) = match control.converged {
        1 => (0, WINDOW_OPEN),
        _ => (world.stage.loop_first, world.stage.number + 1),
    };
}
