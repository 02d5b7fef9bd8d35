// Number of particles that come in at each point of an open boundary in this step: one for each gap by which the fluid has moved
// on since the last.
//!include common/control
//!include shared/opening_params

//!read openings opening_points opening_state
//!write opening_due

// More in a step are left for the next.
const MOST = 8.0;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= stage.element_count) { return; }
    var due = 0u;
    if (k < params.counts.opening_points && control.primed == 1u) {
        let opening = openings[u32(opening_points[k].w)];
        due = u32(clamp(opening_state[k].x / opening.gap, 0.0, MOST));
    }
    // The last element is of no point: with it the sums' last one counts all.
    opening_due[k] = due;
}
