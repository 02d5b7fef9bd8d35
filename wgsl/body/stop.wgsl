// Adds what the surface of a solid stopped in the step (solid/stop) to the force and impulse of pressure on it, summed in a
// fixed order by as many invocations as there are elements for a collider: F += J/Δt.
//!include common/control
//!include common/colliders
//!include common/body_sums

//!read colliders stop_sums
//!write body_pressure body_impulse

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let width = stage.element_count / params.counts.colliders;
    let number = element(global_id) / width;
    let lane = local % width;
    let driven = params.counts.driven;
    let c = min(number, driven - 1u);
    let blocks = arrayLength(&stop_sums) / driven;
    var impulse = vec3<f32>(0.0);
    var twist = vec3<f32>(0.0);
    let solids = driven / params.counts.worlds;
    let first = c / solids * blocks * solids + c % solids;
    for (var block = lane; block < blocks; block += width) {
        impulse += stop_sums[first + block * solids][0].xyz;
        twist += stop_sums[first + block * solids][1].xyz;
    }
    let sums = sums_of(BodySums(impulse, twist, 0u), local, width);
    let is_measured = colliders[c].particle_count > 0u || colliders[c].is_body == 2u;
    if (lane != 0u || number >= driven || !is_measured) { return; }
    let per_step = select(0.0, 1.0 / control.dt, control.dt > 0.0);
    body_pressure[c][0] += vec4<f32>(per_step * sums.force, 0.0);
    body_pressure[c][1] += vec4<f32>(per_step * sums.torque, 0.0);
    body_impulse[c][0] += vec4<f32>(sums.force, 0.0);
    body_impulse[c][1] += vec4<f32>(sums.torque, 0.0);
    body_impulse[c][2] += vec4<f32>(sums.force, 0.0);
    body_impulse[c][3] += vec4<f32>(sums.torque, 0.0);
}
