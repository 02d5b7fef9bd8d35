// Goes on to the next target of the program, if the step before has reached the last one: within the frame, or in the next
// frame, which it opens once a frame is complete. Without another target all steps are inactive.
//!include common/control_write
//!include shared/blocks

// The number of targets so far, and then the targets by their number modulo TARGETS: frame, and the bits of the time in it in s.
//!read targets: array<vec2<u32>>

fn is_reached(goal: vec2<u32>) -> bool {
    return control.frame > goal.x || (control.frame == goal.x
        && (control.frame_done == 1u || control.time_in_frame >= bitcast<f32>(goal.y)));
}

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let count = targets[0].x;
    loop {
        if (control.targets_reached == count) { break; }
        if (!is_reached(targets[1u + control.targets_reached % TARGETS])) { break; }
        control.targets_reached += 1u;
    }
    if (control.targets_reached == count) {
        if (control.frame_done == 0u) { control.frame_done = 2u; }
        return;
    }
    let goal = targets[1u + control.targets_reached % TARGETS];
    if (control.frame_done == 1u) {
        control.frame += 1u;
        control.steps_in_frame = 0u;
        control.iterations_in_frame = 0u;
        control.loops = array<LoopReport, 4>();
        control.time_in_frame = 0.0;
    }
    control.frame_done = 0u;
    control.stop_time = select(FRAME_END, bitcast<f32>(goal.y), goal.x == control.frame);
}
