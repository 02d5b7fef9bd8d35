// Open boundaries on the grid. Faces with a given velocity are closed to pressure, as those of a piston: the flux through them is
// the velocity times what the opening and the solids leave of them. Behind those with a given pressure is a cell of air whose
// cover, 1 less that of the cell in front, puts the surface in their plane.
//!include common/control
//!include common/opening_faces
//!include common/busy

//!read opening_flow
//!write solid_face cover

// Cover of a cell behind the face at most: it stays air.
const MOST = 0.4;
// Bits of faces that are closed to pressure, and of those that are wet besides, of axis 0.
const CLOSED = 8u;
const WET = 64u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    for (var o = 0u; o < params.counts.openings; o++) {
        let opening = openings[o];
        if (!is_in_plane(opening, cell)) { continue; }
        let axis = opening.axis;
        let x = face_center(cell, axis);
        if (face_share(opening, x, ENDLESS) < LEAST_SHARE) { continue; }
        if (opening.kind == OPENING_VELOCITY) {
            let share = min(face_share(opening, x, opening_flow[o].y), solid_face[c][1][axis]);
            let u = opening.inward * opening_flow[o].x * profile(opening, x);
            let bits = (u32(solid_face[c][0].w) & ~((CLOSED | WET) << axis)) | (select(CLOSED, CLOSED | WET, share >= LEAST_SHARE) << axis);
            solid_face[c][0][axis] = u * share;
            solid_face[c][0].w = f32(bits);
            solid_face[c][1].w = u;
        } else {
            let inside = cell_number(cell_inside(opening, cell));
            cover[cell_number(cell_outside(opening, cell))] = clamp(1.0 - cover[inside], 0.0, MOST);
        }
    }
}
