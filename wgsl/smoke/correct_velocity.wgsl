// Velocities that were carried, less their error; none beside open sides.
//!include common/correction
//!include common/air_at_rest

//!gather face_kept face_carried
//!write face_other

fn value_of(c: u32) -> vec4<f32> {
    return face_carried_at(c);
}

fn before_of(c: u32) -> vec4<f32> {
    return face_kept_at(c);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var u = face_carried_at(c);
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        let x = face_center(cell, axis);
        let own = corrected(c, x, face_shift(axis))[axis];
        u[axis] = select(u[axis], own, weight_within(traced(x), axis) == 1.0);
    }
    face_other[c] = u;
}
