// Means over steps of the accelerations (v − v_r)/Δt and (ω − ω_r)/Δt of free bodies by pressure and contacts, with what viscosity/answer
// left, for the next step's implicit viscosity; 0 of other solids, and without gravity, as of the fluid in viscosity/push. (A light
// body's buoyancy is many times its weight, so it has no bound.)
//!include common/control
//!include common/colliders
//!include common/worlds

//!read colliders bodies viscosity_before
//!write viscosity_body_push

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= params.counts.colliders) { return; }
    enter_solid(c);
    let heavy = any(gravity() != vec3<f32>(0.0));
    let free = heavy && colliders[c].inverse_mass > 0.0 && control.dt > 0.0;
    let share = params.methods.viscosity_implicit.share;
    let way = (bodies[c].velocity.xyz - viscosity_before[c][0].xyz) / control.dt;
    let turn = (bodies[c].angular_velocity.xyz - viscosity_before[c][1].xyz) / control.dt;
    let mean_way = mix(viscosity_body_push[c][0].xyz, way, share);
    let mean_turn = mix(viscosity_body_push[c][1].xyz, turn, share);
    viscosity_body_push[c][0] = vec4<f32>(select(vec3<f32>(0.0), mean_way, free), 0.0);
    viscosity_body_push[c][1] = vec4<f32>(select(vec3<f32>(0.0), mean_turn, free), 0.0);
}
