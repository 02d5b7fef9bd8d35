// Velocity extrapolation into air (grid/extrapolate) of the projected field, and from the same faces of the field of P2G before
// forces, or their difference would change particles that no pressure has reached.
//!include common/control
//!include common/hat
//!include common/busy

//!read face face_before
//!write face_other face_gathered

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var u = face[c];
    var before = face_before[c];
    let known = u32(u.w);
    for (var axis = 0u; axis < axes(); axis++) {
        if (((known >> axis) & 1u) == 1u) { continue; }
        var sum = vec2<f32>(0.0);
        var count = 0.0;
        for (var way = 0u; way < 2u * axes(); way++) {
            let next = wrap_periodic(cell + select(-1, 1, (way & 1u) == 1u) * along(way / 2u));
            if (!in_box(next)) { continue; }
            let n = cell_number(next);
            let other = face[n];
            if (((u32(other.w) >> axis) & 1u) == 1u) {
                sum += vec2<f32>(other[axis], face_before[n][axis]);
                count += 1.0;
            }
        }
        if (count > 0.0) {
            u[axis] = sum.x / count;
            u.w += f32(1u << axis);
            before[axis] = sum.y / count;
        }
    }
    face_other[c] = u;
    face_gathered[c] = vec4<f32>(before.xyz, u.w);
}
