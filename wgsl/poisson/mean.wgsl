// Mean of the right-hand side, to be subtracted where nothing bounds the liquid but solids: pressure is then determined up
// to a constant, and the sum of all equations is 0 = 0, which has a solution only if the right-hand side's mean is 0.
//!include common/control
//!include common/all_dots

//!write poisson_scalars

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let sums = all_dots(local);
    if (local == 0u) { poisson_scalars[0] = vec4<f32>(select(sums.x / max(sums.y, 1.0), 0.0, sums.z > 0.0), 0.0, 0.0, 0.0); }
}
