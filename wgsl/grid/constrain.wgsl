// Boundary condition at closed faces: nothing flows into the solid, u ← u − min(0, (u − v_s)·n) n, for sliding contact with
// it nothing in either direction, and in sticky contact u = v_s (Batty, Bertails, Bridson 2007). The other components are
// means of the four faces around.
//!include common/nearest_wall
//!include common/open_faces
//!include common/busy

//!read face_other
//!write face

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var u = face_other[c];
    for (var axis = 0u; axis < axes(); axis++) {
        if (is_open(c, axis)) { continue; }
        if (is_given(c, axis)) {
            u[axis] = select(u[axis], given_velocity(c), is_given_wet(c, axis));
            continue;
        }
        let wall = nearest_wall(face_center(cell, axis));
        var relative = -wall.velocity;
        for (var other = 0u; other < axes(); other++) {
            let up = along(other);
            let back = along(axis);
            if (other == axis) {
                relative[other] += face_other[c][axis];
            } else {
                relative[other] += 0.25 * (face_other[c][other] + face_other[cell_number(wrap_next(cell + up))][other]
                    + face_other[cell_number(wrap_next(cell - back))][other]
                    + face_other[cell_number(wrap_next(cell - back + up))][other]);
            }
        }
        let normal = dot(relative, wall.normal);
        let lost = select(min(0.0, normal), normal, wall.response == RESPONSE_SLIP);
        u[axis] = select(u[axis] - lost * wall.normal[axis], wall.velocity[axis], wall.response == RESPONSE_STICKY);
    }
    face[c] = u;
}
