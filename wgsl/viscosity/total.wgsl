// Scalars of an iteration of conjugate gradients: β = γ/γ_last, α = γ/(δ − β γ/α_last) with γ = r·u, δ = u·w
// (Chronopoulos, Gear 1989), and the residual |r| in percent of the velocities' spread. Where nothing is left to
// solve, all are 0.
//!include common/control

//!read viscosity_dots
//!write viscosity_scalars viscosity_residual

var<workgroup> sums: array<vec4<f32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let groups = min(arrayLength(&viscosity_dots), cluster_group_count());
    var sum = vec4<f32>(0.0);
    for (var k = local; k < groups; k += 256u) { sum += viscosity_dots[k]; }
    sums[local] = sum;
    for (var width = 128u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local < width) { sums[local] += sums[local + width]; }
    }
    if (local == 0u) {
        let gamma = sums[0].x;
        let last = viscosity_scalars[0];
        let goes_on = control.iteration > 0u && last.x > 0.0 && last.z > 0.0;
        let beta = select(0.0, gamma / select(1.0, last.z, goes_on), goes_on);
        let curvature = sums[0].y - select(0.0, beta * gamma / select(1.0, last.x, goes_on), goes_on);
        let solvable = gamma > 0.0 && curvature > 0.0;
        let alpha = select(0.0, gamma / select(1.0, curvature, solvable), solvable);
        viscosity_scalars[0] = vec4<f32>(alpha, select(0.0, beta, solvable), gamma, last.w);
        viscosity_residual[0] = select(0.0, 100.0 * sqrt(sums[0].z) / last.w, solvable);
    }
}
