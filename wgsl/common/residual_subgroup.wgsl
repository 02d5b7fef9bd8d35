// common/residual for subgroups of 8 lanes: one barrier instead of six.
//!enable subgroups

var<workgroup> errors: array<vec2<f32>, 8>;

// Call it in uniform control flow.
fn leave_residual(wrong: f32, live: bool, group: u32, local: u32) {
    let error = subgroupAdd(100.0 * max(wrong, 0.0));
    let count = subgroupAdd(select(0.0, 1.0, live));
    if (local % 8u == 0u) { errors[local / 8u] = vec2<f32>(error, count); }
    workgroupBarrier(); // every subgroup's sum is there
    if (local == 0u && group < min(arrayLength(&residuals), cluster_group_count())) {
        var sum = errors[0];
        for (var k = 1u; k < 8u; k++) { sum += errors[k]; }
        residuals[group] = sum;
    }
}
