// Velocity with which fluid comes in at each point of the open boundaries without a given velocity; 0 where it leaves or
// there is none.
//!include common/control
//!include common/openings
//!include common/field_at

//!read opening_points cover
//!write opening_state

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= params.counts.opening_points) { return; }
    let point = opening_points[k];
    let opening = openings[u32(point.w)];
    let inside = point.xyz + 0.5 * params.grid.cell * way_in(opening);
    let is_wet = cover[cell_number(clamp(cell_of(inside), vec3<i32>(0), vec3<i32>(params.grid.size) - 1))] >= 0.5;
    let speed = dot(field_at(point.xyz), way_in(opening));
    opening_state[k].y = select(0.0, max(speed, 0.0), is_wet && opening.kind != OPENING_VELOCITY);
}
