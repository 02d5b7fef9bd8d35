// Sums over 8 or 64 invocations of a workgroup of 64, in a fixed order: force and torque on a body
// about its centre, and its number of contacts.
//!include common/body_sum

var<workgroup> partial_sums: array<BodySums, 64>;

// The sum, for the first invocation of each `width`; in uniform control flow.
fn sums_of(own: BodySums, local: u32, width: u32) -> BodySums {
    partial_sums[local] = own;
    for (var half = width / 2u; half > 0u; half /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local % width < half) { partial_sums[local] = added(partial_sums[local], partial_sums[local + half]); }
    }
    return partial_sums[local];
}
