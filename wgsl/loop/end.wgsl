// Closes an iterative loop. If it needs more iterations than were recorded, only the loop's own
// stages stay active (resume_lo .. resume_hi): the next recording continues with the next
// iteration, so the results do not depend on the number recorded.
//!include common/control_write

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let stalled = control.converged == 0u;
    control.resume_lo = select(0u, stage.loop_first, stalled);
    control.resume_hi = select(WINDOW_OPEN, stage.number + 1u, stalled);
}
