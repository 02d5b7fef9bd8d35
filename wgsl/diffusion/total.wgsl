// Scalars of an iteration of conjugate gradients, and the residual, by which the loop ends and which bounds the error, in percent of the largest
// value; 0 where nothing is left to solve.
//!include common/all_active
//!include common/iteration
//!include common/conjugate
//!include common/all_dots

//!write diffusion_scalars diffusion_residual

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let dots = all_dots(local);
    if (local == 0u) {
        let scalars = next_scalars(diffusion_scalars[0][0], dots.x, dots.y);
        diffusion_scalars[0][0] = scalars;
        let residual = select(0.0, 100.0 * dots.z, scalars.x > 0.0);
        diffusion_residual[0] = residual;
        end_iteration(residual);
    }
}
