// Acceleration by implicit viscosity, (v' − v*)/Δt. If the iterations converged, v' = x + r m_0/m: that is v* plus the
// pair impulses of x, so momentum is kept to rounding; x itself would lose what is left of r (Weiler et al. 2018).
// Then the velocity v_r = v + Δt (a + g) with which the rest of the step begins, less what viscosity/push has of the mean a_p.
//!include common/control
//!include common/worlds

//!read order sorted_identity sorted_velocity viscosity_x viscosity_residual
//!write acceleration viscosity_last viscosity_r

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let who = sorted_identity[s];
    if (kind_of(who) != KIND_FLUID) { return; }
    enter(who);
    let good = viscosity_residual[0] <= params.loops[stage.loop_index - 1u].tolerance;
    let mass = material_of(who).mass / params.materials[0].mass;
    let rest = select(vec3<f32>(0.0), viscosity_r[s].xyz / mass, good);
    let kicked = sorted_velocity[s].xyz + control.dt * (acceleration[s].xyz + gravity());
    let pushed = control.dt * viscosity_last[order[s]][1].xyz;
    let change = viscosity_x[s].xyz + rest - (kicked + pushed);
    let a = select(vec3<f32>(0.0), change / control.dt, control.dt > 0.0);
    acceleration[s] = vec4<f32>(acceleration[s].xyz + a, 0.0);
    viscosity_last[s][0] = vec4<f32>(a, 0.0);
    let share = params.methods.viscosity_implicit.share;
    viscosity_r[s] = vec4<f32>(kicked + change - (1.0 / share - 1.0) * pushed, 0.0);
}
