// Reduce-then-scan, upward pass: totals[b] = Σ values of block b (4,096 elements).
//!include common/control
//!include common/block
//!include shared/blocks

//!read values: array<u32>
//!write totals: array<u32>

const WORKGROUP = 256u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let block = element(global_id) / WORKGROUP;
    let base = block * REDUCE_BLOCK + local;
    var sum = 0u;
    for (var k = 0u; k < REDUCE_BLOCK / WORKGROUP; k++) {
        let i = base + k * WORKGROUP;
        if (i < stage.element_count) { sum += values[i]; }
    }
    let total = sum_of_all(sum, local);
    if (local == 0u && block * REDUCE_BLOCK < stage.element_count) { totals[block] = total; }
}
