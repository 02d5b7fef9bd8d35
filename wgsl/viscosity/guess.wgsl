// Start of implicit viscosity (Weiler et al. 2018): v* = v + Δt (a + g + a_p) with the acceleration a_p by which pressure and walls
// changed velocities in the last steps, so that viscosity does not resist a fall that they end; the velocities x = v* + Δt a_last
// that the last step's viscous acceleration would give, and r = m v*/m_0, from which viscosity/begin takes K x; 1 in the w lane
// of r. The w lanes of x and u have the viscosity μ. Boundary particles have their velocity in x, 0 in r and u, and their friction
// in place of μ.
//!include common/control
//!include common/worlds

//!read order sorted_identity sorted_velocity acceleration viscosity_last
//!write viscosity_x viscosity_r viscosity_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let who = sorted_identity[s];
    enter(who);
    let v = sorted_velocity[s];
    let fluid = kind_of(who) == KIND_FLUID;
    let viscosity = material_of(who).viscosity;
    let mass = material_of(who).mass / params.materials[0].mass;
    let last = order[s];
    let predicted = v.xyz + control.dt * (acceleration[s].xyz + gravity() + viscosity_last[last][1].xyz);
    let guess = predicted + control.dt * viscosity_last[last][0].xyz;
    viscosity_x[s] = select(v, vec4<f32>(guess, viscosity), fluid);
    viscosity_r[s] = select(vec4<f32>(0.0), vec4<f32>(mass * predicted, 1.0), fluid);
    viscosity_u[s] = vec4<f32>(0.0, 0.0, 0.0, select(v.w, viscosity, fluid));
}
