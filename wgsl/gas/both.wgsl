// The field of both phases that carries the level set: that of each at its own faces, free of divergence. The liquid's alone, extended into
// gas, lags where the gas is faster, and bubbles lose volume.
//!include common/control
//!include common/hat
//!include common/busy

//!read face gas_face gas_faces
//!write gas_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var u = face[c];
    for (var axis = 0u; axis < axes(); axis++) {
        let is_liquid = ((u32(gas_faces[c][0].w) >> axis) & 1u) == 1u;
        u[axis] = select(gas_face[c][axis], u[axis], is_liquid);
    }
    gas_other[c] = u;
}
