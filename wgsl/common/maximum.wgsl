// Maximum of a workgroup's non-negative numbers, as bits: the bits of non-negative floats have the
// same order as the floats, and a maximum does not depend on the order of operations.

var<workgroup> workgroup_maximum_bits: atomic<u32>;

// Call it from every invocation of the workgroup, in uniform control flow.
fn workgroup_maximum(value: f32, local: u32) -> u32 {
    if (local == 0u) { atomicStore(&workgroup_maximum_bits, 0u); }
    workgroupBarrier(); // the start value is there before the first maximum
    atomicMax(&workgroup_maximum_bits, bitcast<u32>(value));
    workgroupBarrier(); // every maximum is in before the result is read
    return atomicLoad(&workgroup_maximum_bits);
}
