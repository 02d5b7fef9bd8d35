// Largest of each lane over a workgroup of 64, for poisson_dots.
var<workgroup> parts: array<vec4<f32>, 64>;

// Call it in uniform control flow; the first invocation gets the result.
fn workgroup_largest(value: vec4<f32>, local: u32) -> vec4<f32> {
    parts[local] = value;
    for (var width = 32u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line joins are complete
        if (local < width) { parts[local] = max(parts[local], parts[local + width]); }
    }
    return parts[0]; // complete for the first invocation
}
