// Sums over a workgroup of WORKGROUP invocations, a constant of the pass.
//
// There is a second implementation, common/block_subgroup; the host picks one.

// Double buffer, so that one barrier per round is enough.
var<workgroup> sums: array<u32, 2u * WORKGROUP>;

// Sum of the values of invocations before this one. Call it in uniform control flow.
fn sum_before(value: u32, local: u32) -> u32 {
    // Inclusive scan (Hillis–Steele).
    var at = 0u;
    sums[local] = value;
    for (var reach = 1u; reach < WORKGROUP; reach *= 2u) {
        workgroupBarrier(); // the half written last is complete, the other no longer read
        var inclusive = sums[at + local];
        if (local >= reach) { inclusive += sums[at + local - reach]; }
        at = WORKGROUP - at;
        sums[at + local] = inclusive;
    }
    return sums[at + local] - value;
}

// Sum of all invocations' values, in the first invocation. Call it in uniform control flow.
fn sum_of_all(value: u32, local: u32) -> u32 {
    sums[local] = value;
    for (var width = WORKGROUP / 2u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local < width) { sums[local] += sums[local + width]; }
    }
    return sums[0];
}
