// Faces one layer beyond the projected ones: what was gathered there, changed as the open ones around it were, in the mean, as if
// pressure went on beyond the surface. (The mean of velocities instead would take a part of its turning from whatever turns.)
// Others that particles reach have what was gathered and forces: spray flies by itself, however few the particles.
//!include common/control
//!include common/open_faces
//!include common/busy

//!read face face_projected
//!write face_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var u = face_projected[c];
    let known = u32(u.w);
    for (var axis = 0u; axis < axes(); axis++) {
        if (((known >> axis) & 1u) == 1u || !is_open(c, axis)) { continue; }
        var sum = 0.0;
        var count = 0.0;
        for (var way = 0u; way < 2u * axes(); way++) {
            let next = wrap_periodic(cell + select(-1, 1, (way & 1u) == 1u) * along(way / 2u));
            if (!in_box(next)) { continue; }
            let n = cell_number(next);
            let other = face_projected[n];
            if (((u32(other.w) >> axis) & 1u) == 0u || !is_open(n, axis)) { continue; }
            sum += other[axis] - face[n][axis];
            count += 1.0;
        }
        let is_reached = ((u32(face[c].w) >> axis) & 8u) == 8u;
        if (count > 0.0 || is_reached) {
            u[axis] = face[c][axis] + sum / max(count, 1.0);
            u.w += f32(1u << axis);
        }
    }
    face_other[c] = u;
}
