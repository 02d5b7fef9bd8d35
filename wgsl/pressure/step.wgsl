// A step along the last direction, z = e over the diagonal and what the cells found (pressure/spread, else 0) where κ may
// change that way, and each workgroup's part of z·V e with the new e and with the last one.
//!include common/control
//!include common/members
//!include common/pressure_step
//!include common/pressure_parts

//!read pressure_scalars factor sorted_position pressure_coarse
//!write pressure_state
//!publish pressure_search

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let member = member_of(at);
    let i = member.slot;
    var part = vec4<f32>(0.0);
    if (member.exists) {
        let state = pressure_state[i];
        let next = after_step(state, pressure_scalars[0].x);
        let kappa = select(-1.0, next.kappa, is_pressed(next.kappa, next.error));
        let z = permitted(factor[i].x * next.error + pressure_coarse[i], kappa);
        let volume = relative_volume(sorted_position[i].w);
        part = vec4<f32>(z * volume * next.error, z * volume * state.y, 0.0, 0.0);
        pressure_state[i] = vec4<f32>(next.kappa, next.error, state.z, state.w);
        publish_pressure_search(i, vec4<f32>(z, state.z, next.added, kappa));
    }
    leave_part(part, at, local);
}
