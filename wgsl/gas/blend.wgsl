// The field of both phases at the start of a step: at faces in gas what gas has carried, elsewhere that of the liquid, which `face` has
// at first.
//!include common/control
//!include common/phases
//!include common/busy

//!read gas_carried
//!write face

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let liquid = face[c];
    let gas = gas_carried[c];
    var u = vec4<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        let known = vec2<bool>(((u32(liquid.w) >> axis) & 1u) == 1u, ((u32(gas.w) >> axis) & 1u) == 1u);
        let by_gas = known.y && (!known.x || is_in_gas(c, cell_number(wrap_next(cell - along(axis)))));
        u[axis] = select(liquid[axis], gas[axis], by_gas);
        u.w += f32(1u << axis);
    }
    face[c] = u;
}
