// Acceleration in m/s² by pressure that viscosity takes for that of this step: that of the last step, as smooth in each phase as that of
// what it pushes, within twice gravity: impulses are not to act again; at the surface, and where the surface has passed, that of fluid at
// rest. (What gas had there would throw liquid.)
//!include common/hat
//!include common/gas_phase

//!read gas_push gas_faces

fn push_at(c: u32) -> vec3<f32> {
    var push = -params.world.gravity;
    let most = 2.0 * length(push);
    for (var axis = 0u; axis < axes(); axis++) {
        let phase = phase_of(gas_faces[c][0][axis]) << axis;
        if ((u32(gas_push[c].w) & phase) != 0u) { push[axis] = clamp(gas_push[c][axis], -most, most); }
    }
    return push;
}
