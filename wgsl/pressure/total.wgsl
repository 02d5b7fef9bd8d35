// α of the step along p, and the residual, by which the loop ends: the mean error in percent. While the step still changes the energy by more than
// the share `energy` of that of pressure/scale, it is as far above the tolerance as the change: in deep water the mean error is
// small long before pressure carries the water's weight.
//!include common/all_active
//!include common/iteration
//!include common/pressure_sums

//!write pressure_scalars
//!write residual: array<f32>

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let sum = all_parts(local);
    if (local == 0u) {
        let last = pressure_scalars[0];
        let solvable = sum.x > 0.0 && sum.y > 0.0;
        let alpha = select(0.0, sum.x / select(1.0, sum.y, solvable), solvable);
        // Without a step the next direction begins anew.
        pressure_scalars[0] = vec4<f32>(alpha, last.y, select(0.0, last.z, solvable), last.w);
        let limits = params.loops[stage.loop_index - 1u];
        let change = 0.5 * alpha * sum.x;
        let most = limits.energy * last.w;
        let above = select(0.0, limits.tolerance * change / max(most, 1e-37), change > most);
        let error = max(sum.z / max(sum.w, 1.0), above);
        residual[0] = error;
        end_iteration(error);
    }
}
