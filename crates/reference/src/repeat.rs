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

/// Ends an iteration by this residual, as the pass that computes it does.
pub(crate) fn end_iteration(world: &mut World, residual: f64) {
    let own = std::mem::replace(&mut world.residual[0], residual);
    test(world);
    world.residual[0] = own;
}

/// Ends an iteration. After the last one the window begins behind the loop; before, it is the loop's.
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
    let ends = enough && small || exhausted;
    let report = &mut control.loops[number];
    report.iterations += 1;
    let most = &mut control.most_iterations[number];
    *most = control.iteration.max(*most);
    (control.resume_lo, control.resume_hi) = match ends {
        true => (world.stage.number + 1, WINDOW_OPEN),
        false => (world.stage.loop_first, world.stage.number + 1),
    };
    if ends {
        control.iteration = 0;
        let place = world.stage.loop_place as usize;
        control.loop_groups[place] = Default::default();
        control.loop_groups[1 - place] = control.cluster_groups;
        if !good && limits.shortens_step == 1 {
            control.step_share = (SHORTER * control.step_share).max(LEAST_SHARE);
        }
        report.exhausted += u32::from(!good);
        report.residual_sum += control.residual;
        report.residual_max = report.residual_max.max(control.residual);
    }
}
