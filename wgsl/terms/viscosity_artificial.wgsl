// Artificial viscosity where particles approach each other (Monaghan 1992; Becker, Teschner 2007):
//   a = −Σ_j m_j Π_ij ∇W_ij if v_ij·r_ij < 0,
//   Π_ij = −ν_ij (v_ij·r_ij)/(r_ij² + 0.01 h²), ν_ij = 2 α h c/(ρ_i + ρ_j)
// with m_j = ρ_j V_j, or ρ_i V_b times the friction for boundary particles.
//!include common/share

var<private> artificial_drag: vec3<f32>;

fn viscosity_artificial_load(j: u32, neighbour: Neighbour) -> Neighbour {
    var loaded = neighbour;
    loaded.density = density_of(j, neighbour.position);
    return loaded;
}

fn viscosity_artificial_begin(i: u32) {
    artificial_drag = vec3<f32>(0.0);
}

fn viscosity_artificial_visit(pair: Pair) {
    let approach = min(dot(velocity_i.xyz - pair.neighbour.velocity.xyz, pair.offset), 0.0);
    let slope = pressure_slope(pair.r) * pair.inverse_r;
    let h2 = kernel.support_radius_squared;
    artificial_drag += share_of(pair) * approach / (pair.r2 + 0.01 * h2) * slope * pair.offset;
}

fn viscosity_artificial_acceleration(i: u32) -> vec3<f32> {
    let own = params.methods.viscosity_artificial;
    return 2.0 * own.alpha * kernel.support_radius * own.speed * artificial_drag;
}
