// Activity of a workgroup as a whole.

var<workgroup> go: u32;

// is_active() for passes that write Control, the same for the whole workgroup: compilers cannot
// know that, and barriers need uniform control flow. Call it from every invocation.
fn workgroup_is_active(local: u32) -> bool {
    if (local == 0u) { go = select(0u, 1u, is_active()); }
    return workgroupUniformLoad(&go) == 1u;
}
