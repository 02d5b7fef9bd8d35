// MacCormack's correction of carried velocities, as smoke/correct of smoke.
//!include common/interpolate

//!gather face_kept face_carried
//!write face_other

fn value_of(c: u32) -> vec4<f32> {
    return face_carried_at(c);
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
        let onwards = moved(x, part_time());
        if (part_time() == 0.0 || !is_free(x) || !is_free(onwards)) { continue; }
        let corners = corners_around(traced(x), face_shift(axis));
        var low = 1e30;
        var high = -1e30;
        for (var k = 0u; k < corner_count(); k++) {
            let own = face_kept_at(corner_cell(corners, k))[axis];
            low = min(low, own);
            high = max(high, own);
        }
        let error = face_kept_at(c)[axis] - interpolated(onwards, face_shift(axis))[axis];
        u[axis] = clamp(u[axis] + 0.5 * error, low, high);
    }
    face_other[c] = u;
}
