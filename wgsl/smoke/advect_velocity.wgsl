// Semi-Lagrangian advection: the velocity of each face where the flow has carried it from (Stam 1999). Beyond open sides
// air is at rest.
//!include common/interpolate
//!include common/air_at_rest
//!include common/near_solids

//!gather face_kept
//!write face_other

fn value_of(c: u32) -> vec4<f32> {
    return face_kept_at(c);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var starts = array<vec3<f32>, 3>();
    // Axes of the paths that may begin in solids: a turn for each one, since software devices compute walls for all cells.
    var inside = 0u;
    for (var axis = 0u; axis < axes(); axis++) {
        starts[axis] = moved(face_center(cell, axis), -part_time());
        if (is_near_solids(starts[axis])) { inside |= 1u << axis; }
    }
    if (inside != 0u) {
        loop {
            let axis = firstTrailingBit(inside);
            starts[axis] = out_of_solids(starts[axis]);
            inside &= inside - 1u;
            if (inside == 0u) { break; }
        }
    }
    var u = vec4<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        let start = starts[axis];
        u[axis] = weight_within(start, axis) * interpolated(start, face_shift(axis))[axis];
    }
    face_other[c] = u;
}
