// Level set where surface tension acts: near the surface what the flow has carried, with its slope for each distance
// within limits. Distances made anew in each step would move the surface a little, and its curvature would drive currents without
// end. Cells beside the surface have theirs by the same slopes (eulerian/near).
//!include common/control
//!include common/level_set
//!include common/level_slopes

//!write level_set_other

// Distance up to which that is so: curvatures on the surface have no cells beyond.
const KEPT = 3.0;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let carried = level_set[c];
    let away = abs(level_set_other[c]);
    if (is_near(cell) || away >= KEPT) { return; }
    let kept = clamp(abs(carried), flat() * away, steep() * away);
    level_set_other[c] = select(kept, -kept, carried < 0.0);
}
