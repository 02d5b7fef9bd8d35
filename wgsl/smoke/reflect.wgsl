// The field on the other side of the projection: 2û − ũ of û, free of divergence, and ũ before it, at faces between open
// cells; elsewhere û (Zehnder, Narain, Thomaszewski 2018).
//!include common/control
//!include common/open_faces

//!read face coefficient
//!write face_kept

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var u = vec4<f32>(face[c].xyz, 0.0);
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        let below = cell_number(wrap_next(cell - along(axis)));
        let known = coefficient[c].w > 0.0 || coefficient[below].w > 0.0;
        if (known && is_open(c, axis)) { u[axis] = 2.0 * u[axis] - face_kept[c][axis]; }
    }
    face_kept[c] = u;
}
