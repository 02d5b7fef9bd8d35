// Reduce-then-scan, downward pass: scanned[i] = offsets[b] + Σ of the block's values before i, for
// blocks b of 4,096 elements; offsets are the scanned totals of the level above. The first block's
// offset is 0 by definition, so the top level needs none.
//!include common/control
//!include common/block
//!include shared/blocks

//!read values: array<u32>
//!read offsets: array<u32>
//!write scanned: array<u32>

const WORKGROUP = 256u;
const ITEMS = REDUCE_BLOCK / WORKGROUP;

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
    let before = sum_before(sum, local) + select(offsets[block], 0u, block == 0u);
    for (var k = 0u; k < ITEMS; k++) {
        if (base + k < stage.element_count) { scanned[base + k] = before + items[k]; }
    }
}
