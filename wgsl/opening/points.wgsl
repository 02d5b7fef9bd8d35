// Places the particles that come in, each as far in as the fluid has moved on, and moves the points' clocks on by this step.
//!include common/control
//!include common/openings

//!read opening_points opening_start opening_flow
//!write position velocity identity opening_state

// Way in gaps, at most, that is kept for later steps.
const MOST = 9.0;
// Share of a gap by which a particle is in front of the face at least.
const LEAST = 1e-3;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= params.counts.opening_points) { return; }
    let point = opening_points[k];
    let o = u32(point.w);
    let opening = openings[o];
    let state = opening_state[k];
    let given = opening_flow[o].x * profile(opening, point.xyz);
    let speed = select(state.y, given, opening.kind == OPENING_VELOCITY);
    var way = state.x;
    for (var number = opening_start[k]; number < opening_start[k + 1u]; number++) {
        way -= opening.gap;
        let slot = control.particle_count + number;
        if (slot >= params.counts.capacity) { continue; }
        let who = vec2<u32>(control.next_id + number, opening.identity);
        let x = point.xyz + max(way, LEAST * opening.gap) * way_in(opening);
        position[slot] = vec4<f32>(x, material_of(who).rest_density);
        velocity[slot] = vec4<f32>(speed * way_in(opening), 0.0);
        identity[slot] = who;
    }
    opening_state[k] = vec2<f32>(clamp(way + speed * control.dt, 0.0, MOST * opening.gap), state.y);
}
