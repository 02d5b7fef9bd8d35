// Velocity extrapolation into air: a layer of faces beyond the known ones, the mean of the known among the 2d neighbours of
// each.
//!include common/control
//!include common/hat
//!include common/busy

//!read face
//!write face_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var u = face[c];
    let known = u32(u.w);
    for (var axis = 0u; axis < axes(); axis++) {
        if (((known >> axis) & 1u) == 1u) { continue; }
        var sum = 0.0;
        var count = 0.0;
        for (var way = 0u; way < 2u * axes(); way++) {
            let step = select(-1, 1, (way & 1u) == 1u) * along(way / 2u);
            let next = cell + step;
            if (!in_box(wrap_periodic(next))) { continue; }
            let other = face[cell_number(wrap_periodic(next))];
            if (((u32(other.w) >> axis) & 1u) == 1u) {
                sum += other[axis];
                count += 1.0;
            }
        }
        if (count > 0.0) {
            u[axis] = sum / count;
            u.w += f32(1u << axis);
        }
    }
    face_other[c] = u;
}
