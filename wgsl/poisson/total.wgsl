// Scalars of an iteration of conjugate gradients, and the residual, by which the loop ends: the largest error of volume in the step,
// 100 Δt max |r|/Δx² percent of a cell, since r/Δx² is what is left of the divergence; 0 where nothing is left to solve. Smoke, which
// nothing draws together again, has as much in 20 ms at least: of shorter steps more errors add up. In w of the scalars the mean that
// rounding has left in r where nothing bounds the fluid (poisson/mean): no pressure corrects it, and iterations would diverge.
//!include common/all_active
//!include common/iteration
//!include common/conjugate
//!include common/all_dots

//!read poisson_singular
//!write poisson_scalars poisson_residual

// In s.
const LEAST_SPAN = 0.02;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let world = group.x;
    let dots = dots_in(world, local);
    if (local == 0u) {
        let scalars = next_scalars(poisson_scalars[world], dots.x, dots.y);
        poisson_scalars[world] = vec4<f32>(scalars.xyz, dots.w * poisson_singular[world]);
        let edge = params.grid.cell;
        let adds_up = control.dt > 0.0 && params.counts.sources + params.counts.vortices > 0u;
        let span = select(control.dt, max(control.dt, LEAST_SPAN), adds_up);
        let residual = select(0.0, 100.0 * span * dots.z / (edge * edge), scalars.x > 0.0);
        poisson_residual[world] = residual;
        if (!has_worlds()) { end_iteration(residual); }
    }
}
