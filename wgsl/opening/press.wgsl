// Pressure P = Δt p/ρ0 in the cells behind open boundaries, hydrostatic below the water's surface there, or from a pressure at the
// middle of the face on; less ρ u²/2 where fluid comes in at the speed u, as from water at rest (Bernoulli): with the full pressure,
// eddies across the face would gain energy without end. Waves that leave have a pressure of their own.
//!include common/control
//!include common/opening_faces
//!include common/busy

//!read opening_flow face
//!write solution

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    for (var o = 0u; o < params.counts.openings; o++) {
        let opening = openings[o];
        if (opening.kind == OPENING_VELOCITY || !is_in_plane(opening, cell)) { continue; }
        let x = face_center(cell, opening.axis);
        if (face_share(opening, x, ENDLESS) < LEAST_SHARE) { continue; }
        let inward = opening.inward * face[cell_number(cell)][opening.axis];
        let head = head_behind(opening, opening_flow[o], x, -inward);
        let speed = max(0.0, inward);
        let rest = head - select(0.5 * speed * speed, 0.0, opening.celerity > 0.0);
        solution[cell_number(cell_outside(opening, cell))] = vec2<f32>(control.dt * rest, 0.0);
    }
}
