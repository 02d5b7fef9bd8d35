// Maximum of a workgroup's non-negative numbers, as bits: the bits of non-negative floats have the
// same order as the floats, and a maximum does not depend on the order of operations.
//
// There is a second implementation, common/maximum_subgroup; the host picks one.
//!include common/all_active

var<workgroup> maximum_bits: atomic<u32>;

// Call it from every invocation of the workgroup, in uniform control flow; those for which
// has_maximum is true get the result.
fn workgroup_maximum(value: f32, local: u32) -> u32 {
    if (local == 0u) { atomicStore(&maximum_bits, 0u); }
    workgroupBarrier(); // the start value is there before the first maximum
    atomicMax(&maximum_bits, bitcast<u32>(value));
    workgroupBarrier(); // every maximum is in before the result is read
    return atomicLoad(&maximum_bits);
}

fn has_maximum(local: u32) -> bool {
    return local == 0u;
}
