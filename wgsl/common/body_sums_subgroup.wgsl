// common/body_sums for subgroups of 8 lanes: one barrier instead of six.
//!enable subgroups
//!include common/body_sum

var<workgroup> partial_sums: array<BodySums, 8>;

// The sum, for the first invocation of each `width`; in uniform control flow.
fn sums_of(own: BodySums, local: u32, width: u32) -> BodySums {
    let sum = BodySums(subgroupAdd(own.force), subgroupAdd(own.torque), subgroupAdd(own.count));
    if (local % 8u == 0u) { partial_sums[local / 8u] = sum; }
    workgroupBarrier(); // every subgroup's sum is there
    var total = sum;
    for (var k = 1u; k < width / 8u; k++) { total = added(total, partial_sums[k]); }
    return total;
}
