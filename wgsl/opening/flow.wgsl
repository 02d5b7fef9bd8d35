// Velocity of what comes in through each open boundary, linear between the times of its table, and the height of the water's
// surface there.
//!include common/control
//!include shared/opening_params

//!read openings opening_rows
//!write opening_flow

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    if (local >= params.counts.openings) { return; }
    let opening = openings[local];
    let time = f32(max(control.frame, 1u) - 1u) * params.time.frame_duration + control.time_in_frame;
    var speed = 0.0;
    for (var k = 0u; k < opening.row_count; k++) {
        let row = opening_rows[opening.first_row + k];
        if (k == 0u || time >= row.x) { speed = row.y; }
        if (k + 1u >= opening.row_count) { break; }
        let next = opening_rows[opening.first_row + k + 1u];
        if (time >= row.x && time < next.x) { speed += (next.y - row.y) * (time - row.x) / (next.x - row.x); }
    }
    opening_flow[local] = vec2<f32>(speed, opening.level);
}
