// Scalars of an iteration of conjugate gradients, and the residual, by which the loop ends: |r| in percent of the velocities' spread; 0 where
// nothing is left to solve.
//!include common/all_active
//!include common/iteration
//!include common/conjugate

//!read viscosity_dots
//!write viscosity_scalars viscosity_residual

var<workgroup> sums: array<vec4<f32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let groups = min(arrayLength(&viscosity_dots), cluster_group_count());
    var sum = vec4<f32>(0.0);
    for (var k = local; k < groups; k += 256u) { sum += viscosity_dots[k]; }
    sums[local] = sum;
    for (var width = 128u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line adds are complete
        if (local < width) { sums[local] += sums[local + width]; }
    }
    if (local == 0u) {
        let scalars = next_scalars(viscosity_scalars[0], sums[0].x, sums[0].y);
        viscosity_scalars[0] = scalars;
        let residual = select(0.0, 100.0 * sqrt(sums[0].z) / scalars.w, scalars.x > 0.0);
        viscosity_residual[0] = residual;
        end_iteration(residual);
    }
}
