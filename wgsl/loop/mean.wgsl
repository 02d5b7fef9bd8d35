// Mean error of an iteration in percent, from the sums of the workgroups, and the loop's test by it.
//!include common/all_active
//!include common/iteration

//!read residuals: array<vec2<f32>>
//!write residual: array<f32>

var<workgroup> sums: array<vec2<f32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let groups = min(arrayLength(&residuals), cluster_group_count());
    var sum = vec2<f32>(0.0);
    for (var k = local; k < groups; k += 256u) { sum += residuals[k]; }
    sums[local] = sum;
    for (var width = 128u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local < width) { sums[local] += sums[local + width]; }
    }
    if (local == 0u) {
        let mean = sums[0].x / max(sums[0].y, 1.0);
        residual[0] = mean;
        end_iteration(mean);
    }
}
