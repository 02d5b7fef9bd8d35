// Reduce-then-scan, downward pass: scanned[i] = offsets[b] + Σ of the block's values before i, for
// blocks b of 1,024 elements; offsets are the scanned totals of the level above. The first block's
// offset is 0 by definition, so the top level needs none.
//!include common/control

const WORKGROUP = 256u;
const ITEMS = 4u;

//!read values: array<u32>
//!read offsets: array<u32>
//!write scanned: array<u32>

// Double buffer, so that one barrier per round is enough.
var<workgroup> sums: array<u32, 512>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let thread = element(global_id);
    let block = thread / WORKGROUP;
    let base = thread * ITEMS;
    var items: array<u32, ITEMS>;
    var sum = 0u;
    for (var k = 0u; k < ITEMS; k++) {
        items[k] = sum;
        if (base + k < stage.element_count) { sum += values[base + k]; }
    }
    // Inclusive scan over the threads' sums (Hillis–Steele).
    var at = 0u;
    sums[local] = sum;
    for (var reach = 1u; reach < WORKGROUP; reach *= 2u) {
        workgroupBarrier(); // the half written last is complete, the other no longer read
        var inclusive = sums[at + local];
        if (local >= reach) { inclusive += sums[at + local - reach]; }
        at = WORKGROUP - at;
        sums[at + local] = inclusive;
    }
    let before = sums[at + local] - sum + select(offsets[block], 0u, block == 0u);
    for (var k = 0u; k < ITEMS; k++) {
        if (base + k < stage.element_count) { scanned[base + k] = before + items[k]; }
    }
}
