// Opens the next frame, if the last one is complete.
//!include common/control_write

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    control.frame += 1u;
    control.steps_in_frame = 0u;
    control.iterations_in_frame = 0u;
    control.loops = array<LoopReport, 4>();
    control.time_in_frame = 0.0;
    control.frame_done = 0u;
}
