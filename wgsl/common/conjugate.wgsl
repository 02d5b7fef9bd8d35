// Scalars of an iteration of conjugate gradients: β = γ/γ_last, α = γ/(δ − β γ/α_last) with γ = r·u, δ = u·w
// (Chronopoulos, Gear 1989). Where nothing is left to solve, both are 0.

// α, β and γ of an iteration, w of the last one.
fn next_scalars(last: vec4<f32>, gamma: f32, delta: f32) -> vec4<f32> {
    let goes_on = control.iteration > 0u && last.x > 0.0 && last.z > 0.0;
    let beta = select(0.0, gamma / select(1.0, last.z, goes_on), goes_on);
    let curvature = delta - select(0.0, beta * gamma / select(1.0, last.x, goes_on), goes_on);
    let solvable = gamma > 0.0 && curvature > 0.0;
    let alpha = select(0.0, gamma / select(1.0, curvature, solvable), solvable);
    return vec4<f32>(alpha, select(0.0, beta, solvable), gamma, last.w);
}
