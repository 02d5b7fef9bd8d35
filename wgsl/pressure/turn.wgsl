// β of the next direction of conjugate gradients for pressure (Polak, Ribière 1969), at least 0: with the limits at 0
// errors are not orthogonal to the last ones.
//!include common/control
//!include common/pressure_sums

//!write pressure_scalars

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let sum = all_parts(local);
    if (local == 0u) {
        let last = pressure_scalars[0];
        let goes_on = control.iteration > 0u && last.z > 0.0;
        let beta = select(0.0, max(sum.x - sum.y, 0.0) / select(1.0, last.z, goes_on), goes_on);
        pressure_scalars[0] = vec4<f32>(last.x, beta, sum.x, last.w);
    }
}
