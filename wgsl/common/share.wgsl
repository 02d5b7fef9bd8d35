// m_j/(ρ_i + ρ_j), for terms that load ρ_j = m_j/V_j; the mass of a boundary particle is ρ_i V_b times
// its friction.
//!carry density: f32
fn share_of(pair: Pair) -> f32 {
    let volume = select(pair.volume, pair.volume * pair.neighbour.velocity.w, pair.wall);
    let other = select(pair.neighbour.density, density_i, pair.wall);
    return other * volume / (density_i + other);
}
