// common/dots for subgroups of 8 lanes: one barrier instead of six.
//!enable subgroups
//!include common/busy

var<workgroup> parts: array<vec4<f32>, 8>;

// Call it in uniform control flow; the first invocation gets the result.
fn workgroup_dots(value: vec4<f32>, local: u32) -> vec4<f32> {
    let own = vec4<f32>(subgroupAdd(value.x), subgroupAdd(value.y), subgroupMax(value.z), subgroupAdd(value.w));
    if (local % 8u == 0u) { parts[local / 8u] = own; }
    workgroupBarrier(); // every subgroup's sums are there
    let each = parts[local % 8u];
    return vec4<f32>(subgroupAdd(each.x), subgroupAdd(each.y), subgroupMax(each.z), subgroupAdd(each.w));
}
