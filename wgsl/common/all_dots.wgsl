// Sums of x, y and w and the maximum of z of poisson_dots over all workgroups of a pass over busy cells (common/dots), by one
// workgroup of 256.
//!include common/worlds
//!read poisson_dots busy_blocks

var<workgroup> parts: array<vec4<f32>, 256>;

fn together(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.x + b.x, a.y + b.y, max(a.z, b.z), a.w + b.w);
}

// Call it in uniform control flow; the first invocation gets the result.
fn all_dots(local: u32) -> vec4<f32> {
    return dots_between(0u, (busy_blocks[0] + 7u) / 8u, local);
}

// Those of a world (grid/list).
fn dots_in(world: u32, local: u32) -> vec4<f32> {
    if (!has_worlds()) { return all_dots(local); }
    let begin = select(0u, busy_blocks[world], world > 0u);
    return dots_between(begin / 8u, busy_blocks[1u + world] / 8u, local);
}

fn dots_between(begin: u32, end: u32, local: u32) -> vec4<f32> {
    var sum = vec4<f32>(0.0);
    for (var k = begin + local; k < min(end, arrayLength(&poisson_dots)); k += 256u) { sum = together(sum, poisson_dots[k]); }
    parts[local] = sum;
    for (var width = 128u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line joins are complete
        if (local < width) { parts[local] = together(parts[local], parts[local + width]); }
    }
    return parts[0]; // complete for the first invocation
}
