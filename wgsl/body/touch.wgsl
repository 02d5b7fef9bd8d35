// Whether any body touches anything: if none does, the iterations of contacts get no workgroups.
//!include common/control

//!read body_touches
//!write contact_dispatch

var<workgroup> touches: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    var own = 0u;
    for (var c = local; c < params.counts.colliders; c += 64u) { own |= body_touches[c]; }
    touches[local] = own;
    workgroupBarrier(); // all bodies have been checked
    if (local != 0u) { return; }
    for (var k = 1u; k < 64u; k++) { own |= touches[k]; }
    let depth = select(0u, 1u, own != 0u);
    contact_dispatch[2] = depth;
    contact_dispatch[5] = depth;
}
