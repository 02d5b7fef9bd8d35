// Stalls the step until the host has allocated room for all candidates: only this stage stays
// active, and the next recording resumes with it.
//!include common/control_write

@group(1) @binding(0) var<storage, read> neighbour_start: array<u32>;
@group(1) @binding(1) var<storage, read> neighbours: array<vec2<u32>>;

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    control.neighbours = neighbour_start[stage.element_count - 1u];
    let fits = control.neighbours <= arrayLength(&neighbours);
    control.resume_lo = select(stage.number, 0u, fits);
    control.resume_hi = select(stage.number + 1u, WINDOW_OPEN, fits);
}
