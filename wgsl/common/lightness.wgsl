// Lightness ρ0/ρ of hot air, ρ = ρ0/(1 + β T), with smoke.density = "variable"; else 1.
//!include common/hat

//!read smoke_other

// Least ρ0/ρ, of air far below its surroundings' temperature.
const LEAST_LIGHTNESS = 0.1;

fn lightness_of(c: u32) -> f32 {
    return max(1.0 + params.methods.stable_fluids.buoyancy * smoke_other[c].y, LEAST_LIGHTNESS);
}

// That of the face between two cells, by the mean of their densities.
fn lightness(a: u32, b: u32) -> f32 {
    if (params.methods.stable_fluids.variable == 0u) { return 1.0; }
    return 2.0 / (1.0 / lightness_of(a) + 1.0 / lightness_of(b));
}
