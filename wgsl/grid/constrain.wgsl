// Boundary condition at closed faces: nothing flows into the solid, u ← u − min(0, (u − v_s)·n) n, for sliding contact with
// it nothing in either direction, and in sticky contact u = v_s (Batty, Bertails, Bridson 2007). The other components are
// means of the four faces around.
//!include common/nearest_wall
//!include common/open_faces
//!include common/busy

//!read face_other
//!write face

// Velocity through a closed face.
fn constrained(cell: vec3<i32>, c: u32, axis: u32) -> f32 {
    let wall = nearest_wall(face_center(cell, axis));
    let own = face_other[c][axis];
    var relative = -wall.velocity;
    for (var other = 0u; other < axes(); other++) {
        let up = along(other);
        let back = along(axis);
        if (other == axis) {
            relative[other] += own;
        } else {
            relative[other] += 0.25 * (face_other[c][other] + face_other[cell_number(wrap_next(cell + up))][other]
                + face_other[cell_number(wrap_next(cell - back))][other]
                + face_other[cell_number(wrap_next(cell - back + up))][other]);
        }
    }
    let normal = dot(relative, wall.normal);
    let lost = select(min(0.0, normal), normal, wall.response == RESPONSE_SLIP);
    return select(own - lost * wall.normal[axis], wall.velocity[axis], wall.response == RESPONSE_STICKY);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var u = face_other[c];
    var closed = 0u;
    for (var axis = 0u; axis < axes(); axis++) {
        if (is_open(c, axis)) { continue; }
        if (is_given(c, axis)) {
            u[axis] = select(u[axis], given_velocity(c), is_given_wet(c, axis));
        } else {
            closed |= 1u << axis;
        }
    }
    // One turn for each closed face rather than one for each axis, which software devices would compute for all cells.
    if (closed != 0u) {
        loop {
            let axis = firstTrailingBit(closed);
            u[axis] = constrained(cell, c, axis);
            closed &= closed - 1u;
            if (closed == 0u) { break; }
        }
    }
    face[c] = u;
}
