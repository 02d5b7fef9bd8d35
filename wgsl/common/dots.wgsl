// Sums of x, y and w and the maximum of z over a workgroup of 64, in a fixed order, for poisson_dots.
//!include common/busy

var<workgroup> parts: array<vec4<f32>, 64>;

fn together(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.x + b.x, a.y + b.y, max(a.z, b.z), a.w + b.w);
}

// Call it in uniform control flow; the first invocation gets the result.
fn workgroup_dots(value: vec4<f32>, local: u32) -> vec4<f32> {
    parts[local] = value;
    for (var width = 32u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line joins are complete
        if (local < width) { parts[local] = together(parts[local], parts[local + width]); }
    }
    return parts[0]; // complete for the first invocation
}
