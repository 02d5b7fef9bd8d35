// Filters velocities (XSPH; Monaghan 1989, Schechter, Bridson 2012):
//   v_i += ε Σ_j 2 m_j/(ρ_i + ρ_j) (v_j − v_i) W_ij
// as an acceleration over the step, so that particles keep the filtered velocity and move with it.
// m_j = ρ_j V_j, or ρ_i V_b times the friction for boundary particles.
//!include common/share

var<private> xsph_change: vec3<f32>;

fn viscosity_xsph_load(j: u32, neighbour: Neighbour) -> Neighbour {
    var loaded = neighbour;
    loaded.density = density_of(j, neighbour.position);
    return loaded;
}

fn viscosity_xsph_begin(i: u32) {
    xsph_change = vec3<f32>(0.0);
}

fn viscosity_xsph_visit(pair: Pair) {
    xsph_change += 2.0 * share_of(pair) * density_kernel(pair.r2) * (pair.neighbour.velocity.xyz - velocity_i.xyz);
}

// A step of length 0 filters nothing.
fn viscosity_xsph_acceleration(i: u32) -> vec3<f32> {
    if (control.dt <= 0.0) { return vec3<f32>(0.0); }
    return params.methods.viscosity_xsph.epsilon / control.dt * xsph_change;
}
