// Motion of each particle along the field of the step, in first to third order. The w lanes carry its density ρ0 c and
// pressure ρ0 P/Δt, of which cells in solids have none (HYBRIDS 1.2, 1.5).
//!include common/control
//!include common/path

//!read sorted_position cover solution solid_share
//!write position velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let x = sorted_position[s].xyz;
    let corners = corners_around(x, vec3<f32>(0.5));
    // Cover, pressure, and the weight of both.
    var sum = vec3<f32>(0.0);
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        let c = corner_cell(corners, k);
        let share = select(w.x * w.y * w.z, 0.0, solid_share[c] < 0.5);
        sum += share * vec3<f32>(cover[c], solution[c].x, 1.0);
    }
    let mean = params.materials[0].rest_density * sum.xy / max(sum.z, 1e-6);
    position[s] = vec4<f32>(wrap_position(moved(x, control.dt)), mean.x);
    velocity[s].w = select(0.0, mean.y / max(control.dt, 1e-30), control.dt > 0.0);
}
