// Shared by passes that measure an error: each workgroup of 64 writes the sum of the excess, in
// percent, and its number of fluid particles, for loop/mean. A pass that includes this file
// binds `residuals`.

var<workgroup> errors: array<vec2<f32>, 64>;

// Call it in uniform control flow.
fn leave_residual(wrong: f32, live: bool, group: u32, local: u32) {
    errors[local] = vec2<f32>(100.0 * max(wrong, 0.0), select(0.0, 1.0, live));
    for (var width = 32u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local < width) { errors[local] += errors[local + width]; }
    }
    if (local == 0u && group < min(arrayLength(&residuals), cluster_group_count())) { residuals[group] = errors[0]; }
}
