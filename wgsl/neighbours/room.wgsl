// Stalls the step until the host has allocated room for all candidates: only this stage stays
// active, and the next recording resumes with it.
//!include common/control_write

//!read neighbour_start neighbours

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    control.neighbours = neighbour_start[stage.element_count - 1u];
    let fits = control.neighbours <= arrayLength(&neighbours);
    control.resume_lo = select(stage.number, 0u, fits);
    control.resume_hi = select(stage.number + 1u, WINDOW_OPEN, fits);
}
