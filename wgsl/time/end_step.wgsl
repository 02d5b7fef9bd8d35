// Counts the step, and closes the frame when its end is reached. A failure found by check/limits
// stops time instead.
//!include common/control_write

// Growth per step of steps that loop/test has shortened.
const LONGER = 1.05;

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let found = atomicLoad(&control.pending_failure);
    if (found != 0u) {
        control.failure = found;
        return;
    }
    if (control.primed == 0u) {
        control.primed = 1u;
        control.frame_done = 1u;
        return;
    }
    control.step_share = min(LONGER * control.step_share, 1.0);
    control.step += 1u;
    control.steps_in_frame += 1u;
    if (control.dt >= params.time.frame_duration - control.time_in_frame) {
        control.time_in_frame = params.time.frame_duration;
        control.frame_done = 1u;
    } else {
        control.time_in_frame += control.dt;
    }
}
