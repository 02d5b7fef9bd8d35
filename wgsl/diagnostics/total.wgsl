// Diagnostics of a frame, part 2: the sum of the 256 blocks.
//!include common/control
//!include common/diagnostics

//!read diagnostics_partial
//!write diagnostics

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    var sum = nothing();
    for (var b = local; b < DIAGNOSTICS_BLOCKS; b += 64u) {
        sum = combine(sum, diagnostics_partial[b]);
    }
    let total = combine_workgroup(sum, local);
    if (local == 0u) { diagnostics[0] = total; }
}
