// common/maximum for subgroups, each of which takes the part of a workgroup: no barriers, which cost
// more than all else in such a pass on software Vulkan.
//!enable subgroups

fn workgroup_is_active(local: u32) -> bool {
    return is_active();
}

fn workgroup_maximum(value: f32, local: u32) -> u32 {
    return subgroupMax(bitcast<u32>(value));
}

fn has_maximum(local: u32) -> bool {
    return local % 8u == 0u;
}
