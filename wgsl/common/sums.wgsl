// Sum of a vec4 over a workgroup of 64, in a fixed order.

var<workgroup> parts: array<vec4<f32>, 64>;

// Call it in uniform control flow; the first invocation gets the sum.
fn workgroup_sum(value: vec4<f32>, local: u32) -> vec4<f32> {
    workgroupBarrier(); // an earlier sum has been read
    parts[local] = value;
    for (var width = 32u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local < width) { parts[local] += parts[local + width]; }
    }
    return parts[0]; // complete for the first invocation, which has added it
}
