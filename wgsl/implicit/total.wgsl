// Scalars of an iteration of conjugate gradients, and the residual, which bounds the error of the velocities in the norm of the
// masses, in percent of theirs; 0 where nothing is left to solve.
//!include common/control
//!include common/conjugate

//!read poisson_dots busy_blocks
//!write implicit_scalars implicit_residual

var<workgroup> parts: array<vec4<f32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let groups = min((busy_blocks[0] + 7u) / 8u, arrayLength(&poisson_dots));
    var sum = vec4<f32>(0.0);
    for (var k = local; k < groups; k += 256u) { sum += poisson_dots[k]; }
    parts[local] = sum;
    for (var width = 128u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local < width) { parts[local] += parts[local + width]; }
    }
    if (local == 0u) {
        let all = parts[0];
        let scalars = next_scalars(implicit_scalars[0], all.x, all.y);
        implicit_scalars[0] = scalars;
        implicit_residual[0] = select(0.0, 100.0 * sqrt(all.z / max(all.w, 1e-30)), scalars.x > 0.0);
    }
}
