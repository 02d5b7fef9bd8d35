// f = −Σ_j V_j (p_i + p_j) ∇W / G (M 10 with the sum of pressures, and V_j = m_j/ρ_j, not ρ_i). The
// mean (p_i + p_j)/2 in M's (10) gives only half of the gradient: Σ_j V_j ∇W is 0 inside the fluid,
// so only p_j counts. With the sum, a column at rest has p = ρ g d and sound travels at √k.
fn pressure_muller_force(pair: Pair) -> vec3<f32> {
    return pressure_force(pair, pair.volume * (velocity_i.w + pressure_of(pair)));
}
