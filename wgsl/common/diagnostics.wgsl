// Sums over fluid particles for the log.
//!include shared/blocks
//!include shared/diagnostics

const FAR = 3.0e38;

fn nothing() -> Diagnostics {
    let zero = vec3<f32>(0.0);
    return Diagnostics(zero, 0.0, zero, 0.0, zero, 0.0, vec3<f32>(FAR), 0.0, vec3<f32>(-FAR), 0.0,
                       0.0, 0.0, 0.0, 0.0);
}

fn combine(a: Diagnostics, b: Diagnostics) -> Diagnostics {
    return Diagnostics(
        a.momentum + b.momentum, a.mass + b.mass,
        a.angular_momentum + b.angular_momentum, a.kinetic_energy + b.kinetic_energy,
        a.first_moment + b.first_moment, a.compression_sum + b.compression_sum,
        min(a.bounds_min, b.bounds_min), max(a.compression_max, b.compression_max),
        max(a.bounds_max, b.bounds_max), max(a.speed_max, b.speed_max),
        a.count + b.count, a.lost + b.lost, a.smoke + b.smoke, max(a.divergence, b.divergence));
}

var<workgroup> parts: array<Diagnostics, 32>;

// The sum over a workgroup of 64 in invocation 0, by a fixed tree: the result does not depend on
// timing. Each half hands over to the other, which takes half of the memory for all.
fn combine_workgroup(mine: Diagnostics, local: u32) -> Diagnostics {
    var sum = mine;
    for (var width = 32u; width > 0u; width /= 2u) {
        if (local / width == 1u) { parts[local % 32u] = sum; }
        workgroupBarrier(); // the half that the next line adds is there
        // In the next turn only this invocation writes to the element that it reads here.
        if (local < width) { sum = combine(sum, parts[(local + width) % 32u]); }
    }
    return sum;
}
