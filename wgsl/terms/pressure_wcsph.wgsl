// f = −ρ_i Σ_j m_j (p_i/ρ_i² + p_j/ρ_j²) ∇W / G (Monaghan 1992; Becker, Teschner 2007) with masses written
// as volumes, −Σ_j (V_i² p_i + V_j² p_j)/V_i ∇W, which is the same for one fluid and conserves the
// momentum of several; boundary particles contribute −2 V_b p_i ∇W.
fn pressure_wcsph_force(pair: Pair) -> vec3<f32> {
    let other = pressure_of(pair);
    let fluid = (volume_i * volume_i * velocity_i.w + pair.volume * pair.volume * other) / volume_i;
    return pressure_force(pair, select(fluid, pair.volume * (velocity_i.w + other), pair.wall));
}
