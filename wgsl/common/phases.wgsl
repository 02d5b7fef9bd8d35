// Liquid and gas at both sides of the level set φ, which is negative in liquid (Kang, Fedkiw, Liu 2000).
//!include common/hat

//!read level_set

// Whether the face between two cells is in gas: the liquid has all that are beside a cell of its own, or the surface would not move as
// what it bounds.
fn is_in_gas(a: u32, b: u32) -> bool {
    return min(level_set[a], level_set[b]) >= 0.0;
}

// Lightness ρ_l/ρ of that face, with ρ = θ ρ_l + (1 − θ) ρ_g where the surface is at θΔx from the cell of liquid.
fn lightness(a: u32, b: u32) -> f32 {
    let gas = params.methods.gas.lightness;
    let levels = vec2<f32>(level_set[a], level_set[b]);
    let least = min(levels.x, levels.y);
    let most = max(levels.x, levels.y);
    if (least >= 0.0) { return gas; }
    if (most < 0.0) { return 1.0; }
    return gas * (most - least) / (most - gas * least);
}

// Viscosity, relative to the liquid's, of a cell around a place with this φ, by its share of liquid.
fn thickness(level: f32) -> f32 {
    return mix(params.methods.gas.thickness, 1.0, clamp(0.5 - level, 0.0, 1.0));
}
