// common/sums for subgroups of 8 lanes: two barriers instead of seven.
//!enable subgroups

var<workgroup> parts: array<vec4<f32>, 8>;

// Call it in uniform control flow; the first invocation gets the sum.
fn workgroup_sum(value: vec4<f32>, local: u32) -> vec4<f32> {
    let own = vec4<f32>(subgroupAdd(value.x), subgroupAdd(value.y), subgroupAdd(value.z), subgroupAdd(value.w));
    workgroupBarrier(); // an earlier sum has been read
    if (local % 8u == 0u) { parts[local / 8u] = own; }
    workgroupBarrier(); // every subgroup's sum is there
    var sum = parts[0];
    for (var k = 1u; k < 8u; k++) { sum += parts[k]; }
    return sum;
}
