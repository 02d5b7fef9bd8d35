// Counts the step, and closes the frame when its end is reached, or stops within it where the program wants that; a failure found by
// check/limits stops time instead. All stages are active again, and loops have their workgroups (common/iteration).
//!include common/control_write

// Growth per step of steps that loops have shortened.
const LONGER = 1.05;

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    control.resume_lo = 0u;
    control.loop_groups = array<vec3<u32>, 2>(control.cluster_groups, control.cluster_groups);
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
    let end = min(params.time.frame_duration, control.stop_time);
    if (control.dt >= end - control.time_in_frame) {
        control.time_in_frame = end;
        control.frame_done = select(1u, 2u, end < params.time.frame_duration);
    } else {
        control.time_in_frame += control.dt;
    }
}
