// Sum of the workgroups' parts in pressure_dots, in a fixed order.

//!read pressure_dots

var<workgroup> parts: array<vec4<f32>, 256>;

// Call it in uniform control flow; the first invocation gets the sum.
fn all_parts(local: u32) -> vec4<f32> {
    let groups = min(arrayLength(&pressure_dots), cluster_group_count());
    var sum = vec4<f32>(0.0);
    for (var k = local; k < groups; k += 256u) { sum += pressure_dots[k]; }
    parts[local] = sum;
    for (var width = 128u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local < width) { parts[local] += parts[local + width]; }
    }
    return parts[0]; // complete for the first invocation
}
