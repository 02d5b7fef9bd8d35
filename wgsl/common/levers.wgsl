// Impulses of a pressure on solids, ρ0 Δxᵈ⁻¹ Σ P J over the cells beside them. The pass says what the pressure
// P of a cell gives by the lever `at` and the next one.
//!include common/solid_sums

//!read levers

fn solid_of(c: u32, at: u32) -> f32 {
    return levers[c][at].w;
}

// ρ0 Δxᵈ⁻¹.
fn mass_of_face() -> f32 {
    let edge = params.grid.cell;
    return params.materials[0].rest_density * edge * select(1.0, edge, params.world.dimensions == 3u);
}
