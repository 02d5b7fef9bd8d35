// f = −ρ_i Σ_j m_j (p_i/ρ_i² + p_j/ρ_j²) ∇W / G (Monaghan 1992; Becker, Teschner 2007) with masses written
// as volumes, −Σ_j (V_i² p_i + V_j² p_j)/V_i ∇W, which is the same for one fluid and conserves the
// momentum of several; boundary particles contribute −2 V_b p_i ∇W, and where densities are not summed but follow the continuity
// equation −V_b p_i ∇W, whose work is what its Dρ_i/Dt = ρ0 V_b v_i·∇W stores (Akinci et al. 2012, 9): twice as much feeds sound. Where
// one of the two grows in a mouth (emit/grow) it is −V_j (p_i + p_j) ∇W, which vanishes with its volume.
// Of the larger volume; flow alone hardly compresses by as much.
const GROWN = 0.9;

fn pressure_wcsph_force(pair: Pair) -> vec3<f32> {
    let other = pressure_of(pair);
    var fluid = (volume_i * volume_i * velocity_i.w + pair.volume * pair.volume * other) / volume_i;
    let grows = min(volume_i, pair.volume) < GROWN * max(volume_i, pair.volume);
    if (params.counts.emitters > 0u && grows) { fluid = pair.volume * (velocity_i.w + other); }
    return pressure_force(pair, select(fluid, pair.volume * (velocity_i.w + params.methods.wcsph.image * other), pair.wall));
}
