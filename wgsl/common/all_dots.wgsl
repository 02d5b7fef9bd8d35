// Sums of x and y and the maximum of z of poisson_dots over all workgroups of a pass over busy cells (common/dots), by one
// workgroup of 256.
//!read poisson_dots busy_blocks

var<workgroup> parts: array<vec4<f32>, 256>;

fn together(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.x + b.x, a.y + b.y, max(a.z, b.z), 0.0);
}

// Call it in uniform control flow; the first invocation gets the result.
fn all_dots(local: u32) -> vec4<f32> {
    let groups = min((busy_blocks[0] + 7u) / 8u, arrayLength(&poisson_dots));
    var sum = vec4<f32>(0.0);
    for (var k = local; k < groups; k += 256u) { sum = together(sum, poisson_dots[k]); }
    parts[local] = sum;
    for (var width = 128u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line joins are complete
        if (local < width) { parts[local] = together(parts[local], parts[local + width]); }
    }
    return parts[0]; // complete for the first invocation
}
