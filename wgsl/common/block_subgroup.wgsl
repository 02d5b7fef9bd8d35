// common/block for subgroups of 8 lanes: one barrier instead of eight.
//!enable subgroups

const SUBGROUPS = WORKGROUP / 8u;

var<workgroup> sums: array<u32, SUBGROUPS>;

// Sum of the values of invocations before this one. Call it in uniform control flow.
fn sum_before(value: u32, local: u32) -> u32 {
    let before = subgroupExclusiveAdd(value);
    let total = subgroupAdd(value);
    let lane = local % 8u;
    let own = local / 8u;
    if (lane == 0u) { sums[own] = total; }
    workgroupBarrier(); // every subgroup's sum is there
    var others = 0u;
    for (var k = lane; k < SUBGROUPS; k += 8u) { others += select(0u, sums[k], k < own); }
    return before + subgroupAdd(others);
}

// Sum of all invocations' values, in the first invocation. Call it in uniform control flow.
fn sum_of_all(value: u32, local: u32) -> u32 {
    let total = subgroupAdd(value);
    let lane = local % 8u;
    if (lane == 0u) { sums[local / 8u] = total; }
    workgroupBarrier(); // every subgroup's sum is there
    var all = 0u;
    for (var k = lane; k < SUBGROUPS; k += 8u) { all += sums[k]; }
    return subgroupAdd(all);
}
