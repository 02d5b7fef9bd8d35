// Semi-Lagrangian advection: the velocity of each known face where the field has carried it from, along the path that markers take, as
// the mean of the known faces around (Stam 1999).
//!include common/control
//!include common/path
//!include common/busy

//!write face_carried

// Least weight of the known faces around a place that has a velocity.
const LEAST_KNOWN = 1e-3;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let known = u32(face_at(c).w);
    var u = vec4<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        if (((known >> axis) & 1u) == 0u) { continue; }
        let corners = corners_around(moved(face_center(cell, axis), -control.dt), face_shift(axis));
        var sum = vec2<f32>(0.0);
        for (var k = 0u; k < corner_count(); k++) {
            let w = corner_weights(corners, k);
            let value = face_at(corner_cell(corners, k));
            let share = select(0.0, w.x * w.y * w.z, ((u32(value.w) >> axis) & 1u) == 1u);
            sum += share * vec2<f32>(value[axis], 1.0);
        }
        if (sum.y <= LEAST_KNOWN) { continue; }
        u[axis] = sum.x / sum.y;
        u.w += f32(1u << axis);
    }
    face_carried[c] = u;
}
