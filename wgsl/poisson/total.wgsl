// Scalars of an iteration of conjugate gradients: β = γ/γ_last, α = γ/(δ − β γ/α_last) with γ = r·u, δ = u·w
// (Chronopoulos, Gear 1989), and the residual: the largest error of volume in the step, 100 Δt max |r|/Δx² percent of a
// cell (HYBRIDS 1.5). Where nothing is left to solve, all are 0.
//!include common/control
//!include common/all_dots

//!write poisson_scalars poisson_residual

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let dots = all_dots(local);
    if (local == 0u) {
        let gamma = dots.x;
        let last = poisson_scalars[0];
        let goes_on = control.iteration > 0u && last.x > 0.0 && last.z > 0.0;
        let beta = select(0.0, gamma / select(1.0, last.z, goes_on), goes_on);
        let curvature = dots.y - select(0.0, beta * gamma / select(1.0, last.x, goes_on), goes_on);
        let solvable = gamma > 0.0 && curvature > 0.0;
        let alpha = select(0.0, gamma / select(1.0, curvature, solvable), solvable);
        poisson_scalars[0] = vec4<f32>(alpha, select(0.0, beta, solvable), gamma, 0.0);
        let edge = params.torus.cell;
        poisson_residual[0] = select(0.0, 100.0 * control.dt * dots.z / (edge * edge), solvable);
    }
}
