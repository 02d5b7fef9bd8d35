// Inverse of the largest |q| or |u| of each value, relative to which residuals count; of values below a hundredth of the largest
// one, the inverse of that hundredth.
//!include common/control

//!read poisson_dots busy_blocks
//!write diffusion_scalars

const LEAST = 0.01;

var<workgroup> parts: array<vec4<f32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let groups = min((busy_blocks[0] + 7u) / 8u, arrayLength(&poisson_dots));
    var most = vec4<f32>(0.0);
    for (var k = local; k < groups; k += 256u) { most = max(most, poisson_dots[k]); }
    parts[local] = most;
    for (var width = 128u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line joins are complete
        if (local < width) { parts[local] = max(parts[local], parts[local + width]); }
    }
    if (local == 0u) {
        let all = parts[0];
        let least = max(LEAST * max(max(all.x, all.y), max(all.z, all.w)), 1e-20);
        diffusion_scalars[0][2] = 1.0 / max(all, vec4<f32>(least));
    }
}
