// Sums over a workgroup of 64, in a fixed order: what acts on a body, about its centre, and how many
// contacts it has.

struct BodySums {
    force: vec3<f32>,
    torque: vec3<f32>,
    count: u32,
}

var<workgroup> partial_sums: array<BodySums, 64>;

fn added(a: BodySums, b: BodySums) -> BodySums {
    return BodySums(a.force + b.force, a.torque + b.torque, a.count + b.count);
}

// For the first invocation; in uniform control flow.
fn workgroup_sums(own: BodySums, local: u32) -> BodySums {
    partial_sums[local] = own;
    for (var width = 32u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local < width) { partial_sums[local] = added(partial_sums[local], partial_sums[local + width]); }
    }
    return partial_sums[0];
}
